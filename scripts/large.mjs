// Scenarios that are large, for what measures the page and for its tests.

/** Scenarios that are large in one way each: rows, SMs, streams, tasks. */
export function largeScenarios() {
  const kernel = (i, more) => ({ name: `K${i + 1}`, stream: `S${(i % 8) + 1}`, start_ns: i * 50_000, blocks: 4, threads_per_block: 256, block_time_ns: 100_000 + ((i * 7919) % 90_000), ...more });
  const rows = (count, more = () => ({})) => Array.from({ length: count }, (_, i) => kernel(i, more(i)));
  const device = { name: "132 SMs", sms: 132, threads_per_sm: 2048, blocks_per_sm: 32, shared_memory_per_sm: 233_472, registers_per_sm: 65_536, max_threads_per_block: 1024, max_shared_memory_per_block: 232_448, max_registers_per_block: 65_536, max_registers_per_thread: 255, copy_engines: 2, copy_bandwidth_bytes_per_s: 50_000_000_000 };
  const tasks = (count) => Array.from({ length: count }, (_, i) => ({ name: `T${i + 1}`, release: "periodic", period_ns: 20_000_000 + i * 10_000, jobs: 3 }));
  return {
    "100 rows": { kernels: rows(100) },
    "1,000 rows": { kernels: rows(1000) },
    "132 SMs": { device, kernels: rows(12, () => ({ blocks: 600 })) },
    "100 streams": { kernels: rows(100, (i) => ({ stream: `S${i + 1}`, start_ns: 0 })) },
    "100 tasks": { tasks: tasks(100), kernels: rows(100, (i) => ({ task: `T${i + 1}`, stream: `S${i + 1}`, start_ns: 0 })) },
    "1,000 tasks": { tasks: tasks(1000), kernels: rows(1000, (i) => ({ task: `T${i + 1}`, stream: `S${(i % 100) + 1}`, start_ns: 0 })) },
  };
}
