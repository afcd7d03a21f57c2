// ---------------------------------------------------------------- the table

cudaStream_t stream_S1;
cudaStream_t stream_S2;
cudaStream_t stream_S3;

// Name, number of its log, blocks, threads of a block, bytes of shared memory of a block, jobs.
Kernel kernel_K1{"K1", 0, 6, 768, 0, 1};
Kernel kernel_K2{"K2", 0, 2, 512, 0, 1};
Kernel kernel_K3{"K3", 0, 2, 1024, 0, 1};
Kernel kernel_K4{"K4", 1, 4, 256, 32768, 1};
Kernel kernel_K5{"K5", 2, 2, 256, 32768, 1};
Kernel kernel_K6{"K6", 1, 2, 512, 0, 1};
const std::vector<Kernel*> kernels = {
    &kernel_K1, &kernel_K2, &kernel_K3, &kernel_K4, &kernel_K5, &kernel_K6,
};

// File, label, benchmark, bytes copied to the GPU in a job, release, stream.
const std::vector<Log> logs = {
    {"TX2-Table-1-basic-scheduling-rules-log1.json", "CPU 0", "Blockstep", 268'435'456, 0, 2000},
    {"TX2-Table-1-basic-scheduling-rules-log2.json", "S2", "Blockstep", 0, 0, 2001},
    {"TX2-Table-1-basic-scheduling-rules-log3.json", "S3", "Blockstep", 0, 0, 2002},
};

// Makes all that the threads need. In the end each kernel and each stream has been used once.
bool prepare() {
    int low, high;
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaStreamCreateWithPriority(&stream_S1, cudaStreamDefault, low));
    CHECK(cudaStreamCreateWithPriority(&stream_S2, cudaStreamDefault, low));
    CHECK(cudaStreamCreateWithPriority(&stream_S3, cudaStreamDefault, low));
    make_memory(268'435'456);
    make_ready(kernel_K1, spin<768, 0>, 32768, stream_S1);
    make_ready(kernel_K2, spin<512, 0>, 32768, stream_S1);
    make_ready(kernel_K3, spin<1024, 0>, 32768, stream_S1);
    make_ready(kernel_K4, spin<256, 0>, 32768, stream_S2);
    make_ready(kernel_K5, spin<256, 0>, 32768, stream_S3);
    make_ready(kernel_K6, spin<512, 0>, 32768, stream_S2);
    warm_up(stream_S1);
    warm_up(stream_S2);
    warm_up(stream_S3);
    CHECK(cudaDeviceSynchronize());
    return true;
}

// Task CPU 0
void task_CPU_0(Ns start) {
    CHECK(cudaSetDevice(0));
    const Ns release = start;

    // K1
    spin_until(release);
    kernel_K1.calls(0);
    spin<768, 0><<<6, 768, 0, stream_S1>>>(kernel_K1.of_job(0), 1'000'000'000, nullptr);
    kernel_K1.returns();
    CHECK(cudaGetLastError());

    // K2
    spin_until(release);
    kernel_K2.calls(0);
    spin<512, 0><<<2, 512, 0, stream_S1>>>(kernel_K2.of_job(0), 1'000'000'000, nullptr);
    kernel_K2.returns();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 268'435'456, cudaMemcpyDeviceToHost, stream_S1));

    // K3
    spin_until(release);
    CHECK(cudaMemcpyAsync(gpu_memory, host_memory, 268'435'456, cudaMemcpyHostToDevice, stream_S1));
    kernel_K3.calls(0);
    spin<1024, 0><<<2, 1024, 0, stream_S1>>>(kernel_K3.of_job(0), 1'000'000'000, nullptr);
    kernel_K3.returns();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 268'435'456, cudaMemcpyDeviceToHost, stream_S1));
}

// Task CPU 1
void task_CPU_1(Ns start) {
    CHECK(cudaSetDevice(0));
    const Ns release = start;

    // K4
    spin_until(release + 200'000'000);
    kernel_K4.calls(0);
    spin<256, 0><<<4, 256, 32768, stream_S2>>>(kernel_K4.of_job(0), 1'000'000'000, nullptr);
    kernel_K4.returns();
    CHECK(cudaGetLastError());

    // K5
    spin_until(release + 400'000'000);
    kernel_K5.calls(0);
    spin<256, 0><<<2, 256, 32768, stream_S3>>>(kernel_K5.of_job(0), 1'000'000'000, nullptr);
    kernel_K5.returns();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 268'435'456, cudaMemcpyDeviceToHost, stream_S3));

    // K6
    spin_until(release + 2'800'000'000);
    kernel_K6.calls(0);
    spin<512, 0><<<2, 512, 0, stream_S2>>>(kernel_K6.of_job(0), 1'000'000'000, nullptr);
    kernel_K6.returns();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 268'435'456, cudaMemcpyDeviceToHost, stream_S2));
}

void run(int place, const std::string& folder) {
    in_turn(place, prepare);
    const Reading before = in_turn(PROCESSES + place, read_clocks);
    meeting->start = now() + 20'000'000;
    const Ns start = meeting->start;
    std::thread thread_of_task_CPU_0(task_CPU_0, start);
    std::thread thread_of_task_CPU_1(task_CPU_1, start);
    thread_of_task_CPU_0.join();
    thread_of_task_CPU_1.join();
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
