#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Ends the program with a message if a call of CUDA fails.
#define CHECK(call)                                                                                  \
    do {                                                                                             \
        const cudaError_t status_ = (call);                                                          \
        if (status_ != cudaSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s: %s, %s\n", __FILE__, __LINE__, #call,                   \
                         cudaGetErrorName(status_), cudaGetErrorString(status_));                    \
            _exit(1);                                                                                \
        }                                                                                            \
    } while (0)

using Ns = long long;                   // an instant or a time, in nanoseconds
using GpuNs = unsigned long long;       // the same on the GPU

// ---------------------------------------------------------------- what runs on the GPU

// What a block writes of itself.
struct Block {
    GpuNs start, end;
    GpuNs sm;
    GpuNs suspended, suspensions;       // while another process had the GPU: how long, and how often
};

__device__ GpuNs gpu_time() {
    GpuNs ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__device__ unsigned zeros[256];

// A block that runs for its time: `ns`, and what stands for it in `list`, if there is one. Its first warp looks at the timer and
// sleeps for moments between, the others wait for it. More than 10 us between two looks is a suspension, which is no running time.
//
// Nothing makes the compiler take an exact number of registers. So each thread holds `Held` numbers besides those that it needs,
// which brings it near the number of the table; the program says what the kernel takes.
template <int Threads, int Held>
__global__ void __launch_bounds__(Threads) spin(Block* blocks, GpuNs ns, const GpuNs* list) {
    const GpuNs start = gpu_time();
    if (list) ns += list[blockIdx.x];
    unsigned held[Held + 1] = {};
#pragma unroll
    for (int i = 0; i < Held; ++i) held[i] = *const_cast<volatile unsigned*>(&zeros[i]);
    GpuNs before = start, ran = 0, suspended = 0, suspensions = 0;
    while (threadIdx.x < 32 && ran < ns) {
#if __CUDA_ARCH__ >= 700
        __nanosleep(100);
#endif
        const GpuNs time = gpu_time(), passed = time - before;
        before = time;
        if (passed > 10'000) {
            suspended += passed;
            ++suspensions;
        } else {
            ran += passed;
        }
    }
    __syncthreads();
    unsigned sum = 0;                   // it is 0, which the compiler does not know
#pragma unroll
    for (int i = 0; i < Held; ++i) sum += held[i];
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        blocks[blockIdx.x] = Block{start, 0, sm + sum, suspended, suspensions};
        blocks[blockIdx.x].end = gpu_time();
    }
}

// The host's question of what time it is on the GPU, and the answer.
struct Page {
    volatile GpuNs asked, answered, time;
};

// Answers so many questions, and gives up after a second.
__global__ void tell_time(Page* page, int rounds) {
    const GpuNs start = gpu_time();
    for (GpuNs round = 1; round <= rounds; ++round) {
        while (true) {
            const bool is_asked = page->asked >= round;
            const GpuNs time = gpu_time();
            if (is_asked) {
                page->time = time;
                break;
            }
            if (time - start > 1'000'000'000) return;
        }
        __threadfence_system();
        page->answered = round;
    }
}

// ---------------------------------------------------------------- time

// The host's clock. All processes of the computer read the same.
Ns now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000ll + time.tv_nsec;
}

// Threads that sleep come late, so they spin.
void spin_until(Ns instant) {
    while (now() < instant) {
    }
}

// One reading of both clocks.
struct Reading {
    Ns host, gpu, took;
};

// Asks the GPU for its time; of all answers the quickest counts. Nothing else should run meanwhile.
Reading read_clocks() {
    const int rounds = 400;
    static Page* page = nullptr;
    if (!page) CHECK(cudaMallocHost(&page, sizeof(Page)));
    page->asked = page->answered = page->time = 0;
    tell_time<<<1, 1>>>(page, rounds);
    CHECK(cudaGetLastError());
    Reading best{0, 0, -1};
    for (GpuNs round = 1; round <= rounds; ++round) {
        const Ns asked = now();
        page->asked = round;
        while (page->answered < round && now() - asked < 2'000'000'000) {
        }
        const Ns took = now() - asked;
        if (page->answered < round) break;
        if (best.took < 0 || took < best.took) best = Reading{asked + took / 2, static_cast<Ns>(page->time), took};
    }
    CHECK(cudaDeviceSynchronize());
    if (best.took < 0) {
        std::fprintf(stderr, "the GPU does not tell its time\n");
        _exit(1);
    }
    return best;
}

// The relation of the clocks between two readings.
struct Clock {
    Reading before, after;
    Ns drift() const { return (after.host - after.gpu) - (before.host - before.gpu); }
    Ns residual() const { return (std::max(before.took, after.took) + 1) / 2; }
    // An instant of the GPU on the host's clock.
    Ns host(GpuNs gpu) const {
        const Ns since = static_cast<Ns>(gpu) - before.gpu, span = after.gpu - before.gpu;
        return before.host + since + (span > 0 ? static_cast<Ns>(static_cast<double>(since) / span * drift()) : 0);
    }
};

// ---------------------------------------------------------------- what is known of the table while it runs

// A launch as its thread saw it.
struct Launch {
    int job;
    Ns called, returned;
    int cpu;
};

// A kernel of the table.
struct Kernel {
    const char* name;
    int log;                            // whose log it is in
    int blocks, threads, shared, jobs;
    Block* written = nullptr;           // what its blocks write, job by job
    int registers = 0;                  // of a thread
    std::vector<Launch> launches;

    Block* of_job(int job) const { return written + static_cast<size_t>(job) * blocks; }
    void calls(int job) { launches.push_back(Launch{job, now(), 0, 0}); }
    void returns() {
        launches.back().returned = now();
        launches.back().cpu = sched_getcpu();
    }
    void launched(int job, Ns called, Ns returned) { launches.push_back(Launch{job, called, returned, sched_getcpu()}); }
};

// The end of what a call put on its stream; of a call that only waits, its return.
struct End {
    cudaEvent_t event = nullptr;
    std::atomic<bool> is_called{false};

    void create() { CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
    void record(cudaStream_t stream) {
        CHECK(cudaEventRecord(event, stream));
        is_called = true;
    }
    void returned() { is_called = true; }
    bool is_complete() const {
        if (!is_called) return false;
        if (!event) return true;
        const cudaError_t status = cudaEventQuery(event);
        if (status == cudaErrorNotReady) {
            cudaGetLastError();         // it is no error
            return false;
        }
        CHECK(status);
        return true;
    }
    void wait() const {
        while (!is_complete()) {
        }
    }
};

using Function = void (*)(Block*, GpuNs, const GpuNs*);

// Makes a kernel ready, and runs one block of it for no time, so that it is loaded before the start.
void make_ready(Kernel& kernel, Function function, int most_shared, cudaStream_t stream) {
    int most = 0, fit = 0;
    cudaFuncAttributes taken;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if (most_shared > most) {
        std::fprintf(stderr, "%d bytes of shared memory of a block are too many for this GPU; the limit is %d\n", most_shared, most);
        _exit(1);
    }
    // All kernels have the same wish, as an SM changes how it divides its memory only when it is empty.
    CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));
    CHECK(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    CHECK(cudaFuncGetAttributes(&taken, function));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, function, kernel.threads, kernel.shared));
    if (fit == 0) {
        std::fprintf(stderr, "%s: a block of %d threads with %d registers each and %d bytes of shared memory does not fit an SM of this GPU\n",
                     kernel.name, kernel.threads, taken.numRegs, kernel.shared);
        _exit(1);
    }
    kernel.registers = taken.numRegs;
    kernel.launches.reserve(kernel.jobs);
    const size_t bytes = static_cast<size_t>(kernel.jobs) * kernel.blocks * sizeof(Block);
    CHECK(cudaMalloc(&kernel.written, bytes));
    CHECK(cudaMemset(kernel.written, 0, bytes));
    function<<<1, kernel.threads, kernel.shared, stream>>>(kernel.written, 0, nullptr);
    CHECK(cudaGetLastError());
}

// Times of blocks as a list on the GPU.
const GpuNs* on_gpu(const std::vector<GpuNs>& times) {
    GpuNs* list;
    CHECK(cudaMalloc(&list, times.size() * sizeof(GpuNs)));
    CHECK(cudaMemcpy(list, times.data(), times.size() * sizeof(GpuNs), cudaMemcpyHostToDevice));
    return list;
}

// Memory for copies: what is in it means nothing. On the GPU it is twice as long, for copies within.
char *host_memory, *gpu_memory, *further_memory;

void make_memory(size_t bytes) {
    CHECK(cudaMallocHost(&host_memory, bytes));
    CHECK(cudaMalloc(&gpu_memory, 2 * bytes));
    further_memory = gpu_memory + bytes;
}

// Uses the way of a stream to the GPU and back once, before the start.
void warm_up(cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(gpu_memory, host_memory, 1, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(host_memory, gpu_memory, 1, cudaMemcpyDeviceToHost, stream));
}

// ---------------------------------------------------------------- processes

// What processes share: whose turn it is, the instant at which all start, and how many are done.
struct Meeting {
    std::atomic<int> turn{0};
    std::atomic<Ns> start{0};
    std::atomic<int> done{0};
};

Meeting* meeting;

// Does something when all processes before this one have.
template <typename Do>
auto in_turn(int turn, Do what) {
    while (meeting->turn != turn) usleep(20);
    auto result = what();
    meeting->turn = turn + 1;
    return result;
}

// ---------------------------------------------------------------- logs, in the JSON of cuda_scheduling_examiner

// What stands at the head of a log.
struct Log {
    const char *file, *label, *benchmark;
    unsigned long long data_bytes;
    Ns release;
    int stream;
};

std::string json(const std::string& text) {
    std::string out = "\"";
    for (const unsigned char c : text) {
        char escaped[8];
        if (c == '"' || c == '\\') out += '\\';
        if (c < 32) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
            out += escaped;
        } else {
            out += static_cast<char>(c);
        }
    }
    return out + "\"";
}

std::string seconds(Ns ns) {
    char text[40];
    const Ns size = ns < 0 ? -ns : ns;
    std::snprintf(text, sizeof text, "%s%lld.%09lld", ns < 0 ? "-" : "", size / 1'000'000'000, size % 1'000'000'000);
    return text;
}

// What the GPU is, and how well its clock is known.
std::string measured_on(const Clock& clock, const std::vector<Kernel*>& kernels) {
    cudaDeviceProp gpu;
    int driver = 0, khz = 0, least = 0, greatest = 0;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    auto number = [](const char* name, long long value) { return ",\"" + std::string(name) + "\":" + std::to_string(value); };
    std::string out = "{\"version\":" + json(VERSION) + ",\"gpu\":" + json(gpu.name);
    out += ",\"compute_capability\":\"" + std::to_string(gpu.major) + "." + std::to_string(gpu.minor) + "\"";
    out += number("sms", gpu.multiProcessorCount) + number("threads_per_sm", gpu.maxThreadsPerMultiProcessor);
    out += number("blocks_per_sm", gpu.maxBlocksPerMultiProcessor) + number("shared_memory_per_sm", gpu.sharedMemPerMultiprocessor);
    out += number("max_shared_memory_per_block", gpu.sharedMemPerBlockOptin) + number("registers_per_sm", gpu.regsPerMultiprocessor);
    out += number("copy_engines", gpu.asyncEngineCount);
    out += ",\"stream_priorities\":[" + std::to_string(least) + "," + std::to_string(greatest) + "]" + number("sm_clock_khz", khz);
    out += ",\"cuda\":\"" + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) + "\"";
    out += number("connections", CONNECTIONS) + ",\"mps\":" + (std::getenv("CUDA_MPS_PIPE_DIRECTORY") ? "true" : "false");
    out += number("clock_residual_ns", clock.residual()) + number("clock_drift_ns", clock.drift()) + ",\"registers\":[";
    for (size_t i = 0; i < kernels.size(); ++i) {
        out += std::string(i > 0 ? "," : "") + "{\"kernel\":" + json(kernels[i]->name) +
               number("registers_per_thread", kernels[i]->registers) + "}";
    }
    return out + "],\"run\":[1,1]}";
}

// Writes the logs of this process's streams into a folder.
void write_logs(const std::string& folder, Ns start, const Clock& clock, const std::vector<Log>& logs, const std::vector<Kernel*>& kernels) {
    const std::string on = measured_on(clock, kernels);
    cudaDeviceProp gpu;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    for (size_t i = 0; i < logs.size(); ++i) {
        const Log& log = logs[i];
        std::vector<std::pair<Ns, std::string>> times;      // by the begin of the first block
        for (const Kernel* kernel : kernels) {
            if (kernel->log != static_cast<int>(i)) continue;
            std::vector<Block> blocks(kernel->blocks);
            for (const Launch& launch : kernel->launches) {
                CHECK(cudaMemcpy(blocks.data(), kernel->of_job(launch.job), blocks.size() * sizeof(Block), cudaMemcpyDeviceToHost));
                Ns first = clock.host(blocks[0].start);
                std::string block_times, sms, suspended, suspensions;
                bool was_suspended = false;
                for (const Block& block : blocks) {
                    const char* comma = block_times.empty() ? "" : ",";
                    first = std::min(first, clock.host(block.start));
                    block_times += comma + seconds(clock.host(block.start) - start) + "," + seconds(clock.host(block.end) - start);
                    sms += comma + std::to_string(block.sm);
                    suspended += comma + seconds(block.suspended);
                    suspensions += comma + std::to_string(block.suspensions);
                    was_suspended = was_suspended || block.suspensions > 0;
                }
                std::string entry = ",\n{\"kernel_name\": " + json(kernel->name);
                entry += ", \"block_count\": " + std::to_string(kernel->blocks) + ", \"thread_count\": " + std::to_string(kernel->threads);
                entry += ", \"shared_memory\": " + std::to_string(kernel->shared) + ", \"cuda_launch_times\": [" +
                         seconds(launch.called - start) + ", " + seconds(launch.returned - start) + ", 0]";
                entry += ", \"block_times\": [" + block_times + "], \"block_smids\": [" + sms + "]";
                entry += ", \"cpu_core\": " + std::to_string(launch.cpu);
                if (was_suspended) {
                    entry += ", \"block_suspended_times\": [" + suspended + "], \"block_suspensions\": [" + suspensions + "]";
                }
                times.emplace_back(first, entry + "}");
            }
        }
        std::stable_sort(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::string out = "{\n\"scenario_name\": " + json(SCENARIO) + ",\n\"benchmark_name\": " + json(log.benchmark);
        out += ",\n\"label\": " + json(log.label) + ",\n\"max_resident_threads\": " +
               std::to_string(gpu.multiProcessorCount * gpu.maxThreadsPerMultiProcessor);
        out += ",\n\"data_size\": " + std::to_string(log.data_bytes) + ",\n\"release_time\": " + seconds(log.release);
        out += ",\n\"PID\": " + std::to_string(getpid()) + ",\n\"TID\": " + std::to_string(log.stream);
        out += ",\n\"blockstep\": " + on + ",\n\"times\": [{}";
        for (const auto& [first, entry] : times) out += entry;
        out += "\n]}\n";
        const std::string path = folder + "/" + log.file;
        std::FILE* file = std::fopen(path.c_str(), "w");
        const bool is_written = file && std::fwrite(out.data(), 1, out.size(), file) == out.size();
        if (!file || std::fclose(file) != 0 || !is_written) {
            std::fprintf(stderr, "%s cannot be written\n", path.c_str());
            _exit(1);
        }
        std::printf("%s\n", path.c_str());
    }
    std::fflush(stdout);
}
