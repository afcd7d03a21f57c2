
// ---------------------------------------------------------------- graphs

using Nodes = std::vector<cudaGraphNode_t>;

// A node that launches a kernel behind other nodes.
cudaGraphNode_t add_kernel(cudaGraph_t graph, const Nodes& behind, Kernel& kernel, Function function, int job, GpuNs ns, const GpuNs* list,
                           int priority) {
    Block* blocks = kernel.of_job(job);
    void* arguments[] = {&blocks, &ns, &list};
    cudaKernelNodeParams launch = {};
    launch.func = reinterpret_cast<void*>(function);
    launch.gridDim = dim3(kernel.blocks);
    launch.blockDim = dim3(kernel.threads);
    launch.sharedMemBytes = kernel.shared;
    launch.kernelParams = arguments;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, behind.data(), behind.size(), &launch));
    cudaLaunchAttributeValue value = {};
    value.priority = priority;
    CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
    return node;
}

cudaGraphNode_t add_copy(cudaGraph_t graph, const Nodes& behind, void* to, const void* from, size_t bytes, cudaMemcpyKind way) {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddMemcpyNode1D(&node, graph, behind.data(), behind.size(), to, from, bytes, way));
    return node;
}

cudaGraphNode_t add_memset(cudaGraph_t graph, const Nodes& behind, void* memory, size_t bytes) {
    cudaMemsetParams set = {};
    set.dst = memory;
    set.elementSize = 1;
    set.width = bytes;
    set.height = 1;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddMemsetNode(&node, graph, behind.data(), behind.size(), &set));
    return node;
}
