// ---------------------------------------------------------------- the table

cudaStream_t stream_hi;
cudaStream_t stream_nb;
cudaStream_t stream_w;
cudaStream_t stream_o;
cudaStream_t stream_p;
cudaStream_t stream_NULL = cudaStreamLegacy;
cudaEvent_t event_E1;
cudaEvent_t event_E3;
cudaEvent_t event_E2;

// Name, number of its log, blocks, threads of a block, bytes of shared memory of a block, jobs.
Kernel kernel_A{"A", 0, 4, 64, 0, 3};
Kernel kernel_B__{"B ü", 0, 2, 64, 0, 3};
Kernel kernel_C{"C", 2, 2, 64, 0, 3};
Kernel kernel_C_{"C\\", 2, 2, 64, 0, 3};
Kernel kernel_D{"D", 1, 2, 64, 0, 3};
Kernel kernel_E{"E", 3, 2, 64, 0, 4};
Kernel kernel_F{"F", 4, 2, 64, 0, 4};
Kernel kernel_n1{"n1", 0, 2, 64, 0, 2};
const std::vector<Kernel*> kernels = {
    &kernel_A, &kernel_B__, &kernel_C, &kernel_C_, &kernel_D, &kernel_E, &kernel_F, &kernel_n1,
};
const GpuNs* times_A;               // of each block
const GpuNs longer_B__[] = {        // in each job
    77, 82, 197,
};
End end_of_A[3];
End end_of_B__[3];
End end_of_C[3];
End end_of_C_[3];
End end_of_G1[2];
cudaGraphExec_t graph_G1[2];
Kernel* const kernels_of_G1[] = {
    &kernel_n1,
};
End end_of_Y[2];
char* memory_of_c7[1];

// File, label, benchmark, bytes copied to the GPU in a job, release, stream.
const std::vector<Log> logs = {
    {"every-call-log1.json", "hi", "Blockstep", 4'000, 0, 2000},
    {"every-call-log2.json", "consumer", "Blockstep", 0, 0, 2001},
    {"every-call-log3.json", "while\\", "Blockstep", 1'000, 0, 2002},
    {"every-call-log4.json", "o", "Blockstep", 1'000, 0, 2003},
    {"every-call-log5.json", "p", "Blockstep", 0, 0, 2004},
};

// Makes all that the threads need. In the end each kernel and each stream has been used once.
bool prepare() {
    int low, high;
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaStreamCreateWithPriority(&stream_hi, cudaStreamDefault, high));
    CHECK(cudaStreamCreateWithPriority(&stream_nb, cudaStreamNonBlocking, low));
    CHECK(cudaStreamCreateWithPriority(&stream_w, cudaStreamDefault, low));
    CHECK(cudaStreamCreateWithPriority(&stream_o, cudaStreamDefault, low));
    CHECK(cudaStreamCreateWithPriority(&stream_p, cudaStreamDefault, low));
    CHECK(cudaEventCreateWithFlags(&event_E1, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&event_E3, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&event_E2, cudaEventDisableTiming));
    make_memory(4'096);
    make_ready(kernel_A, spin<64, 0>, 0, stream_hi);
    times_A = on_gpu({
        1'000, 2'000, 3'000, 4'000,
    });
    for (End& end : end_of_A) end.create();
    make_ready(kernel_B__, spin<64, 12>, 0, stream_hi);
    for (End& end : end_of_B__) end.create();
    make_ready(kernel_C, spin<64, 0>, 0, stream_w);
    for (End& end : end_of_C) end.create();
    make_ready(kernel_C_, spin<64, 0>, 0, stream_w);
    for (End& end : end_of_C_) end.create();
    make_ready(kernel_D, spin<64, 0>, 0, stream_nb);
    make_ready(kernel_E, spin<64, 0>, 0, stream_o);
    make_ready(kernel_F, spin<64, 0>, 0, stream_p);
    for (End& end : end_of_G1) end.create();
    make_ready(kernel_n1, spin<64, 0>, 0, stream_hi);
    for (char*& memory : memory_of_c7) CHECK(cudaMalloc(&memory, 1));

    for (int job = 0; job < 2; ++job) {     // graph G1
        cudaGraph_t graph;
        CHECK(cudaGraphCreate(&graph, 0));
        const cudaGraphNode_t copy_of_n1 = add_copy(graph, {}, gpu_memory, host_memory, 1'000, cudaMemcpyHostToDevice);
        const cudaGraphNode_t launch_of_n1 = add_kernel(graph, {copy_of_n1}, kernel_n1, spin<64, 0>, job, 5'000, nullptr, high);
        [[maybe_unused]] const cudaGraphNode_t node_n1 = add_copy(graph, {launch_of_n1}, host_memory, gpu_memory, 1'000, cudaMemcpyDeviceToHost);
        [[maybe_unused]] const cudaGraphNode_t node_n2 = add_memset(graph, {node_n1}, gpu_memory, 1'000);
        [[maybe_unused]] const cudaGraphNode_t node_n3 = add_copy(graph, {node_n1}, host_memory, gpu_memory, 1'000, cudaMemcpyDeviceToHost);
        [[maybe_unused]] const cudaGraphNode_t node_n4 = add_copy(graph, {node_n2, node_n3}, further_memory, gpu_memory, 1'000, cudaMemcpyDeviceToDevice);
        [[maybe_unused]] const cudaGraphNode_t node_n5 = add_copy(graph, {node_n4}, gpu_memory, host_memory, 1'000, cudaMemcpyHostToDevice);
        CHECK(cudaGraphInstantiate(&graph_G1[job], graph, 0));
        CHECK(cudaGraphUpload(graph_G1[job], stream_hi));
    }
    warm_up(stream_hi);
    warm_up(stream_nb);
    warm_up(stream_w);
    warm_up(stream_o);
    warm_up(stream_p);
    warm_up(stream_NULL);
    CHECK(cudaDeviceSynchronize());
    return true;
}

// Task int
void task_int(Ns start) {
    CHECK(cudaSetDevice(0));
    Agenda agenda;
    for (int job = 0; job < 3; ++job) {
        const Ns release = start + job * 20'000ll;
        agenda.at(release + 0, job, 0, [=] {     // A
            kernel_A.calls(job);
            spin<64, 0><<<4, 64, 0, stream_hi>>>(kernel_A.of_job(job), 0, times_A);
            kernel_A.returns();
            CHECK(cudaGetLastError());
            end_of_A[job].record(stream_hi);
        });
        agenda.after(end_of_A[job], 1'000, job, 1, [=] {     // B ü
            kernel_B__.calls(job);
            spin<64, 12><<<2, 64, 0, stream_hi>>>(kernel_B__.of_job(job), 5'000 + longer_B__[job], nullptr);
            kernel_B__.returns();
            CHECK(cudaGetLastError());
            end_of_B__[job].record(stream_hi);
        });
    }
    agenda.run();
}

// Task while/
void task_while_(Ns start) {
    CHECK(cudaSetDevice(0));
    Ns release = start;
    for (int job = 0; job < 3; ++job) {
        Agenda agenda;
        agenda.at(release + 0, job, 2, [=] {     // C
            CHECK(cudaMemcpyAsync(gpu_memory, host_memory, 1'000, cudaMemcpyHostToDevice, stream_w));
            kernel_C.calls(job);
            spin<64, 0><<<2, 64, 0, stream_w>>>(kernel_C.of_job(job), 5'000, nullptr);
            kernel_C.returns();
            CHECK(cudaGetLastError());
            end_of_C[job].record(stream_w);
        });
        agenda.after(end_of_C[job], 0, job, 3, [=] {     // C/
            kernel_C_.calls(job);
            spin<64, 0><<<2, 64, 0, stream_w>>>(kernel_C_.of_job(job), 5'000, nullptr);
            kernel_C_.returns();
            CHECK(cudaGetLastError());
            end_of_C_[job].record(stream_w);
        });
        agenda.run();
        end_of_C[job].wait();
        end_of_C_[job].wait();
        release = now();
    }
}

// Task consumer
void task_consumer(Ns start) {
    CHECK(cudaSetDevice(0));
    for (int job = 0; job < 3; ++job) {
        const Ns release = start + job * 30'000ll;

        // D
        spin_until(release);
        end_of_A[job].wait();
        end_of_B__[job].wait();
        kernel_D.calls(job);
        spin<64, 0><<<2, 64, 0, stream_nb>>>(kernel_D.of_job(job), 5'000, nullptr);
        kernel_D.returns();
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 4'096, cudaMemcpyDeviceToHost, stream_nb));
        CHECK(cudaEventRecord(event_E1, stream_nb));
    }
}

// Task overlaps
void task_overlaps(Ns start) {
    CHECK(cudaSetDevice(0));
    Agenda agenda;
    for (int job = 0; job < 4; ++job) {
        const Ns release = start + job * 10'000ll;
        agenda.at(release + 25'000, job, 5, [=] {     // E
            kernel_E.calls(job);
            spin<64, 0><<<2, 64, 0, stream_o>>>(kernel_E.of_job(job), 500, nullptr);
            kernel_E.returns();
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(event_E3, stream_o));
        });
        agenda.at(release + 0, job, 6, [=] {     // F
            CHECK(cudaStreamWaitEvent(stream_p, event_E3, 0));
            kernel_F.calls(job);
            spin<64, 0><<<2, 64, 0, stream_p>>>(kernel_F.of_job(job), 500, nullptr);
            kernel_F.returns();
            CHECK(cudaGetLastError());
        });
    }
    agenda.run();
}

// Task calls
void task_calls(Ns start) {
    CHECK(cudaSetDevice(0));
    Ns release = start;
    for (int job = 0; job < 2; ++job) {
        spin_until(release);

        // G1
        spin_until(now() + 2'000);     // what the call costs
        const Ns called_G1 = now();
        CHECK(cudaGraphLaunch(graph_G1[job], stream_hi));
        const Ns returned_G1 = now();
        for (Kernel* kernel : kernels_of_G1) kernel->launched(job, called_G1, returned_G1);
        end_of_G1[job].record(stream_hi);

        // Y
        spin_until(now() + 2'000);     // what the call costs
        CHECK(cudaStreamSynchronize(stream_hi));
        end_of_Y[job].returned();
        end_of_G1[job].wait();
        end_of_Y[job].wait();
        release = now();
    }
}

// Task in turn
void task_in_turn(Ns start) {
    CHECK(cudaSetDevice(0));
    const Ns release = start + 400'000;
    spin_until(release);

    // c1
    CHECK(cudaMemcpy(gpu_memory, host_memory, 1'000, cudaMemcpyHostToDevice));

    // c2
    CHECK(cudaMemset(gpu_memory, 0, 1'000));

    // c3
    CHECK(cudaMemcpyAsync(further_memory, gpu_memory, 1'000, cudaMemcpyDeviceToDevice, stream_o));

    // c4
    CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 1'000, cudaMemcpyDeviceToHost, stream_o));
    CHECK(cudaEventRecord(event_E2, stream_o));

    // c5
    CHECK(cudaEventSynchronize(event_E2));

    // c6
    void* memory_of_c6;
    CHECK(cudaMalloc(&memory_of_c6, 1));

    // c7
    CHECK(cudaFree(memory_of_c7[0]));

    // c8
    CHECK(cudaDeviceSynchronize());
}

void run(int place, const std::string& folder) {
    in_turn(place, prepare);
    const Reading before = in_turn(PROCESSES + place, read_clocks);
    meeting->start = now() + 20'000'000;
    const Ns start = meeting->start;
    std::thread thread_of_task_int(task_int, start);
    std::thread thread_of_task_while_(task_while_, start);
    std::thread thread_of_task_consumer(task_consumer, start);
    std::thread thread_of_task_overlaps(task_overlaps, start);
    std::thread thread_of_task_calls(task_calls, start);
    std::thread thread_of_task_in_turn(task_in_turn, start);
    thread_of_task_int.join();
    thread_of_task_while_.join();
    thread_of_task_consumer.join();
    thread_of_task_overlaps.join();
    thread_of_task_calls.join();
    thread_of_task_in_turn.join();
    CHECK(cudaDeviceSynchronize());
    ++meeting->done;
    while (meeting->done < PROCESSES) usleep(20);
    const Clock clock{before, in_turn(2 * PROCESSES + place, read_clocks)};
    write_logs(folder, start, clock, logs, kernels);
}

// ---------------------------------------------------------------- the begin of the program

void stop(int) {
    const char words[] = "the program did not end in time and was stopped\n";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(2);
    _exit(1);
}

int main(int count, char** arguments) {
    const std::string folder = count > 1 ? arguments[1] : ".";
    mkdir(folder.c_str(), 0777);
    // CUDA reads these when it is called first.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", std::to_string(CONNECTIONS).c_str(), 1);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    void* memory = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    meeting = new (memory) Meeting;
    signal(SIGALRM, stop);
    alarm(MOST_SECONDS);
    run(0, folder);
    return 0;
}
