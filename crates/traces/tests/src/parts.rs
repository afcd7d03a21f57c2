//! Small parts of the readers: names of calls and of kernels, and times.

mod calls {
    use blockstep_traces::CallKind;

    #[test]
    fn calls_are_known_by_their_names() {
        let kinds = |names: &[&str], kind| names.iter().for_each(|name| assert_eq!(CallKind::from_name(name), kind, "{name}"));
        kinds(&["cudaLaunchKernel_v7000", "cuLaunchKernel", "hipLaunchKernel", "hipExtModuleLaunchKernel"], CallKind::Launch);
        kinds(&["cudaLaunchCooperativeKernel", "cudaLaunchKernel_ptsz"], CallKind::Launch);
        kinds(&["cudaLaunchKernelExC_v11060", "cuLaunchKernelEx"], CallKind::LaunchWithAttributes);
        kinds(&["cudaMalloc", "cudaFree_v3020", "cudaHostAlloc", "cuMemAlloc_v2"], CallKind::Allocation);
        kinds(&["cudaMallocAsync", "cudaFreeAsync", "cudaEventQuery", "cudaLaunchHostFunc"], CallKind::Other);
        kinds(&["cudaEventRecordWithFlags_v11010"], CallKind::EventRecord);
        kinds(&["cudaStreamWaitEvent"], CallKind::StreamWait);
        kinds(&["cudaDeviceSynchronize", "cuCtxSynchronize", "hipStreamSynchronize"], CallKind::HostWait);
        kinds(&["cudaMemcpyAsync", "cudaMemsetAsync_v3020"], CallKind::Memory);
    }
}

mod names {
    use blockstep_traces::words::short_name;

    #[test]
    fn names_are_short() {
        let long = "void at::native::vectorized_elementwise_kernel<4, at::native::copy(at::Tensor&)::{lambda(float)#1}>(int, std::array<char*, 2ul>)";
        assert_eq!(short_name(long), "vectorized_elementwise_kernel");
        assert_eq!(short_name("void at::native::(anonymous namespace)::CatArrayBatchedCopy<int>(int*)"), "CatArrayBatchedCopy");
        assert_eq!(short_name("Memcpy DtoH (Device -> Pinned)"), "Memcpy DtoH");
        assert_eq!(short_name("K1"), "K1");
    }
}

mod times {
    use blockstep_traces::files::read_profile;

    /// How many ns after another kernel one begins, and for how long it runs; `None` without a usable time.
    fn kernel(from: &str, ts: &str, dur: &str) -> Option<(u64, u64)> {
        let kernel = |stream: u64, ts: &str, dur: &str| {
            format!(r#"{{ "ph": "X", "cat": "kernel", "name": "A", "ts": {ts}, "dur": {dur}, "args": {{ "stream": {stream} }} }}"#)
        };
        let file = format!(r#"{{ "schemaVersion": 1, "traceEvents": [{}, {}] }}"#, kernel(7, from, "1"), kernel(8, ts, dur));
        let recording = read_profile(file.as_bytes(), &mut |_| true).unwrap();
        let [first, last] = &recording.operations[..] else { return None };
        Some((last.start.ns() - first.start.ns(), last.end.ns() - last.start.ns()))
    }

    #[test]
    fn times_are_read_to_the_nanosecond() {
        // A double at this size steps by a quarter of a microsecond.
        assert_eq!(kernel("1695835573847842.3", "1695835573847842.301", "5.5"), Some((1, 5_500)));
        assert_eq!(kernel("1000", "1000.25", "1e3"), Some((250, 1_000_000)));
        assert_eq!(kernel("1e3", "1000", "0.0019"), Some((0, 1)));
        assert_eq!(kernel("1000", "1000", "-0.25"), None, "the sign is that of the decimals too");
        assert_eq!(["\"\"", "\"soon\"", "\"1.x\"", "99999999999999999999"].map(|ts| kernel("1000", ts, "1")), [None; 4]);
    }
}
