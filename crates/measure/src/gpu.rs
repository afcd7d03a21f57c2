//! The driver, as far as it is used: one GPU, streams, events, memory and launches.
//!
//! Depends on cudarc, which loads the driver at run time. The only file of the project that may call what the compiler cannot check.
//! Invariants: every call's answer is looked at; a handle is used only in the process and on the GPU that made it, and none is freed
//! before the process ends, which frees them all, so that none can be used too late; a buffer is as long as it says.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr;

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute, CUresult};
use cudarc::driver::{DriverError, result};

use crate::MeasureError;

/// What a call of the driver came to.
pub(crate) type Called<T> = Result<T, MeasureError>;

/// Says which call failed.
fn call<T>(name: &str, answer: Result<T, DriverError>) -> Called<T> {
    answer.map_err(|DriverError(status)| MeasureError::Driver { call: name.to_owned(), status: status_name(status) })
}

fn checked(name: &str, status: CUresult) -> Called<()> {
    call(name, status.result())
}

fn status_name(status: CUresult) -> String {
    let error = DriverError(status);
    let name = error.error_name().map_or_else(|_| format!("{status:?}"), |name| name.to_string_lossy().into_owned());
    error.error_string().map_or(name.clone(), |words| format!("{name}, {}", words.to_string_lossy()))
}

/// A GPU with its primary context.
#[derive(Clone, Copy)]
pub(crate) struct Device {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

// A context may be current to several threads at once (CUDA driver API, "Context Management"), and a device is a number.
unsafe impl Send for Device {}
unsafe impl Sync for Device {}

/// A stream of the primary context.
#[derive(Clone, Copy)]
pub(crate) struct Stream(sys::CUstream);

// The driver API may be called from any thread (CUDA driver API, "Stream Management").
unsafe impl Send for Stream {}
unsafe impl Sync for Stream {}

/// An event without timing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event(sys::CUevent);

// As streams.
unsafe impl Send for Event {}
unsafe impl Sync for Event {}

/// An instantiated graph.
#[derive(Clone, Copy)]
pub(crate) struct Graph(sys::CUgraphExec);

// As streams; only the one thread of its row launches it.
unsafe impl Send for Graph {}
unsafe impl Sync for Graph {}

/// A node of a graph that is captured.
#[derive(Clone, Copy)]
pub(crate) struct Node(sys::CUgraphNode);

/// A loaded kernel.
#[derive(Clone, Copy)]
pub(crate) struct Function(sys::CUfunction);

// As streams.
unsafe impl Send for Function {}
unsafe impl Sync for Function {}

/// Memory of the GPU.
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    address: sys::CUdeviceptr,
    bytes: usize,
}

/// Memory of the host that does not move, which the GPU reads and writes, too.
#[derive(Clone, Copy)]
pub(crate) struct Pinned {
    address: *mut c_void,
    bytes: usize,
}

// Nothing but copies of the driver, and `Page`, reads or writes it.
unsafe impl Send for Pinned {}
unsafe impl Sync for Pinned {}

/// What one launch takes.
pub(crate) struct Grid {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    pub(crate) shared_bytes: u32,
}

/// Loads the driver and looks for the GPU.
pub(crate) fn open(number: u32) -> Called<Device> {
    // Loads the library, which runs nothing of it.
    if !unsafe { sys::is_culib_present() } {
        return Err(MeasureError::NoDriver);
    }
    match result::init() {
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => return Err(MeasureError::NoGpu { wanted: number, found: 0 }),
        answer => call("cuInit", answer)?,
    }
    let found = u32::try_from(call("cuDeviceGetCount", result::device::get_count())?).unwrap_or(0);
    let ordinal = c_int::try_from(number).ok().filter(|_| number < found).ok_or(MeasureError::NoGpu { wanted: number, found })?;
    let device = call("cuDeviceGet", result::device::get(ordinal))?;
    // The device is one that the driver gave.
    let context = call("cuDevicePrimaryCtxRetain", unsafe { result::primary_ctx::retain(device) })?;
    let opened = Device { device, context };
    opened.use_in_this_thread()?;
    Ok(opened)
}

impl Device {
    /// To be called by each thread before it calls anything else.
    pub(crate) fn use_in_this_thread(self) -> Called<()> {
        // The primary context is retained until the process ends.
        call("cuCtxSetCurrent", unsafe { result::ctx::set_current(self.context) })
    }

    pub(crate) fn name(self) -> Called<String> {
        call("cuDeviceGetName", result::device::get_name(self.device))
    }

    /// A number that the driver knows of the GPU; 0 if it does not.
    pub(crate) fn number(self, attribute: Attribute) -> u64 {
        // The device is one that the driver gave.
        let number = unsafe { result::device::get_attribute(self.device, attribute) };
        number.ok().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
    }

    /// The version of CUDA that the driver knows, as 13000.
    pub(crate) fn driver_version(self) -> Called<u32> {
        let mut version = 0;
        // It writes one number.
        checked("cuDriverGetVersion", unsafe { sys::cuDriverGetVersion(&raw mut version) })?;
        Ok(u32::try_from(version).unwrap_or(0))
    }

    /// The lowest and the highest priority of streams; the highest is the smallest number.
    pub(crate) fn priorities(self) -> Called<(i32, i32)> {
        call("cuCtxGetStreamPriorityRange", result::stream::get_priority_range())
    }

    /// Waits for all that was issued.
    pub(crate) fn synchronize(self) -> Called<()> {
        call("cuCtxSynchronize", result::ctx::synchronize())
    }

    /// Memory of the GPU, of at least one byte.
    pub(crate) fn allocate(self, bytes: usize) -> Called<Buffer> {
        let bytes = bytes.max(1);
        // Nothing reads it before it is written, but copies, whose content means nothing.
        let address = call("cuMemAlloc", unsafe { result::malloc_sync(bytes) })?;
        Ok(Buffer { address, bytes })
    }

    /// Pinned memory of the host, of at least one byte, all 0.
    pub(crate) fn pin(self, bytes: usize) -> Called<Pinned> {
        let bytes = bytes.max(1);
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        let address = call("cuMemHostAlloc", unsafe { result::malloc_host(bytes, flags) })?;
        // It is as long as that.
        unsafe { ptr::write_bytes(address.cast::<u8>(), 0, bytes) };
        Ok(Pinned { address, bytes })
    }

    /// Compiles PTX for this GPU.
    pub(crate) fn load(self, ptx: &CStr) -> Called<Module> {
        // A text that ends with 0.
        call("cuModuleLoadData", unsafe { result::module::load_data(ptx.as_ptr().cast()) }).map(Module)
    }

    /// Frees GPU memory, and waits for the device before.
    pub(crate) fn free(self, buffer: Buffer) -> Called<()> {
        // Its caller gives it up.
        call("cuMemFree", unsafe { result::free_sync(buffer.address) })
    }
}

/// Compiled PTX.
#[derive(Clone, Copy)]
pub(crate) struct Module(sys::CUmodule);

impl Module {
    pub(crate) fn function(self, name: &CStr) -> Called<Function> {
        let mut function = ptr::null_mut();
        // The module is never unloaded.
        checked("cuModuleGetFunction", unsafe { sys::cuModuleGetFunction(&raw mut function, self.0, name.as_ptr()) })?;
        Ok(Function(function))
    }
}

impl Function {
    /// Registers of a thread.
    pub(crate) fn registers(self) -> Called<u32> {
        // The module is never unloaded.
        let registers = unsafe { result::function::get_function_attribute(self.0, FunctionAttribute::CU_FUNC_ATTRIBUTE_NUM_REGS) };
        call("cuFuncGetAttribute", registers).map(|n| u32::try_from(n).unwrap_or(0))
    }

    /// Allows so much dynamic shared memory of a block, and has each SM set aside as much as it can: kernels with other wishes would
    /// wait until the SM is empty.
    pub(crate) fn allow_shared(self, bytes: u32) -> Called<()> {
        let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        const ALL: c_int = 100;
        let set =
            |attribute, value| call("cuFuncSetAttribute", unsafe { result::function::set_function_attribute(self.0, attribute, value) });
        set(FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)?;
        set(FunctionAttribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, ALL)
    }

    /// How many blocks one SM holds at once.
    pub(crate) fn blocks_per_sm(self, grid: &Grid) -> Called<u32> {
        let threads = c_int::try_from(grid.threads).unwrap_or(c_int::MAX);
        // The module is never unloaded.
        let blocks = unsafe { result::occupancy::max_active_block_per_multiprocessor(self.0, threads, grid.shared_bytes as usize) };
        call("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks).map(|n| u32::try_from(n).unwrap_or(0))
    }

    /// Launches `spin` of spin.ptx: `records` has room for five numbers of each block from `first` on, `times` holds one number, or one
    /// for each block.
    pub(crate) fn launch_spin(
        self,
        grid: &Grid,
        stream: Stream,
        records: Buffer,
        first: usize,
        times: Buffer,
        zeros: Buffer,
    ) -> Called<()> {
        let blocks = grid.blocks as usize;
        assert!((first + blocks) * RECORD_BYTES <= records.bytes, "records have room for the launch");
        assert!(times.bytes == TIME_BYTES || blocks * TIME_BYTES <= times.bytes, "there is a time, or one for each block");
        let mut to = records.address + (first * RECORD_BYTES) as u64;
        let (mut from, mut zeros) = (times.address, zeros.address);
        let mut is_list = c_uint::from(times.bytes > TIME_BYTES);
        let mut parameters = [(&raw mut to).cast::<c_void>(), (&raw mut from).cast(), (&raw mut is_list).cast(), (&raw mut zeros).cast()];
        // The parameters are those of `spin`; the driver copies them before it returns; the buffers are as long as asserted.
        let launched = unsafe {
            result::launch_kernel(self.0, (grid.blocks, 1, 1), (grid.threads, 1, 1), grid.shared_bytes, stream.0, &mut parameters)
        };
        call("cuLaunchKernel", launched)
    }

    /// Launches `tell_time` of spin.ptx.
    pub(crate) fn launch_tell_time(self, stream: Stream, page: Page, rounds: u32) -> Called<()> {
        let (mut address, mut rounds) = (page.0.address as u64, rounds);
        let mut parameters = [(&raw mut address).cast::<c_void>(), (&raw mut rounds).cast()];
        // The parameters are those of `tell_time`; pinned memory has the same address on the GPU (unified addressing).
        let launched = unsafe { result::launch_kernel(self.0, (1, 1, 1), (1, 1, 1), 0, stream.0, &mut parameters) };
        call("cuLaunchKernel", launched)
    }
}

/// Numbers that a block writes: start, end, SM, time suspended, and how often.
pub(crate) const RECORD_NUMBERS: usize = 5;
pub(crate) const RECORD_BYTES: usize = RECORD_NUMBERS * size_of::<u64>();
/// Bytes of a time.
pub(crate) const TIME_BYTES: usize = 8;

impl Buffer {
    /// Writes numbers to its begin.
    pub(crate) fn write(self, numbers: &[u64]) -> Called<()> {
        assert!(size_of_val(numbers) <= self.bytes, "the buffer has room");
        // As asserted.
        call("cuMemcpyHtoD", unsafe { result::memcpy_htod_sync(self.address, numbers) })
    }

    /// All its numbers.
    pub(crate) fn read(self) -> Called<Vec<u64>> {
        let mut numbers = vec![0_u64; self.bytes / size_of::<u64>()];
        // The slice is no longer than the buffer.
        call("cuMemcpyDtoH", unsafe { result::memcpy_dtoh_sync(&mut numbers, self.address) })?;
        Ok(numbers)
    }
}

/// Pinned memory of three numbers, by which host and GPU tell each other the time.
#[derive(Clone, Copy)]
pub(crate) struct Page(Pinned);

impl Page {
    pub(crate) fn new(device: Device) -> Called<Self> {
        device.pin(3 * size_of::<u64>()).map(Self)
    }

    fn number(self, place: usize) -> *mut u64 {
        assert!((place + 1) * size_of::<u64>() <= self.0.bytes, "the page has three numbers");
        // As asserted.
        unsafe { self.0.address.cast::<u64>().add(place) }
    }

    /// Reads what the GPU may write meanwhile.
    pub(crate) fn get(self, place: usize) -> u64 {
        // Aligned, as pages are; volatile, as the GPU writes it.
        unsafe { ptr::read_volatile(self.number(place)) }
    }

    /// Writes what the GPU may read meanwhile.
    pub(crate) fn set(self, place: usize, value: u64) {
        // As above.
        unsafe { ptr::write_volatile(self.number(place), value) }
    }
}

/// Which way a copy goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    ToDevice,
    ToHost,
    OnDevice,
    Set,
}

impl Stream {
    /// The NULL stream.
    pub(crate) const NULL: Self = Self(ptr::null_mut());

    /// Makes a stream.
    pub(crate) fn create(non_blocking: bool, priority: i32) -> Called<Self> {
        let kind = if non_blocking { result::stream::StreamKind::NonBlocking } else { result::stream::StreamKind::Default };
        call("cuStreamCreateWithPriority", result::stream::create_with_priority(kind, priority)).map(Self)
    }

    pub(crate) fn synchronize(self) -> Called<()> {
        // Streams are never destroyed.
        call("cuStreamSynchronize", unsafe { result::stream::synchronize(self.0) })
    }

    pub(crate) fn wait_for(self, event: Event) -> Called<()> {
        // Neither is ever destroyed.
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        call("cuStreamWaitEvent", unsafe { result::stream::wait_event(self.0, event.0, flags) })
    }

    /// From here on what is issued becomes nodes of a graph.
    pub(crate) fn begin_capture(self) -> Called<()> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // It is never destroyed.
        call("cuStreamBeginCapture", unsafe { result::stream::begin_capture(self.0, mode) })
    }

    /// What is captured next waits for these nodes, and no others.
    pub(crate) fn capture_behind(self, nodes: &[Node]) -> Called<()> {
        let mut nodes: Vec<sys::CUgraphNode> = nodes.iter().map(|node| node.0).collect();
        let flags = sys::CUstreamUpdateCaptureDependencies_flags::CU_STREAM_SET_CAPTURE_DEPENDENCIES as c_uint;
        // The driver reads as many nodes as the vector has, before it returns.
        let updated = unsafe { sys::cuStreamUpdateCaptureDependencies(self.0, nodes.as_mut_ptr(), nodes.len(), flags) };
        checked("cuStreamUpdateCaptureDependencies", updated)
    }

    /// The node that was captured last.
    pub(crate) fn last_captured(self) -> Called<Option<Node>> {
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut nodes, mut count) = (ptr::null(), 0);
        // The nodes are the driver's until the next call on this stream; they are copied before.
        let asked = unsafe {
            sys::cuStreamGetCaptureInfo_v2(self.0, &raw mut status, ptr::null_mut(), ptr::null_mut(), &raw mut nodes, &raw mut count)
        };
        checked("cuStreamGetCaptureInfo", asked)?;
        Ok((count == 1).then(|| Node(unsafe { *nodes })))
    }

    /// The captured graph, ready to be launched; it is sent to the GPU by this stream.
    pub(crate) fn end_capture(self) -> Called<Graph> {
        let mut graph = ptr::null_mut();
        // Neither the stream nor the graph is ever destroyed.
        let captured = call("cuStreamEndCapture", unsafe { result::stream::end_capture(self.0) })?;
        checked("cuGraphInstantiate", unsafe { sys::cuGraphInstantiateWithFlags(&raw mut graph, captured, 0) })?;
        checked("cuGraphUpload", unsafe { sys::cuGraphUpload(graph, self.0) })?;
        Ok(Graph(graph))
    }

    pub(crate) fn launch(self, graph: Graph) -> Called<()> {
        // Neither is ever destroyed.
        checked("cuGraphLaunch", unsafe { sys::cuGraphLaunch(graph.0, self.0) })
    }

    /// Copies, or sets, the first bytes of both memories.
    pub(crate) fn copy(self, way: Way, gpu: Buffer, host: Pinned, bytes: usize) -> Called<()> {
        let target = gpu.address + (gpu.bytes / 2) as u64;
        assert!(
            bytes <= gpu.bytes / 2 && (bytes <= host.bytes || matches!(way, Way::OnDevice | Way::Set)),
            "the copy is within both memories"
        );
        // As asserted; what is copied means nothing, so nobody minds when two copies write the same.
        unsafe {
            match way {
                Way::ToDevice => checked("cuMemcpyHtoDAsync", sys::cuMemcpyHtoDAsync_v2(gpu.address, host.address, bytes, self.0)),
                Way::ToHost => checked("cuMemcpyDtoHAsync", sys::cuMemcpyDtoHAsync_v2(host.address, gpu.address, bytes, self.0)),
                Way::OnDevice => checked("cuMemcpyDtoDAsync", sys::cuMemcpyDtoDAsync_v2(target, gpu.address, bytes, self.0)),
                Way::Set => checked("cuMemsetD8Async", sys::cuMemsetD8Async(gpu.address, 0, bytes, self.0)),
            }
        }
    }
}

impl Event {
    pub(crate) fn create() -> Called<Self> {
        call("cuEventCreate", result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)).map(Self)
    }

    pub(crate) fn record(self, stream: Stream) -> Called<()> {
        // Neither is ever destroyed.
        call("cuEventRecord", unsafe { result::event::record(self.0, stream.0) })
    }

    /// Whether what it captured is complete.
    pub(crate) fn is_complete(self) -> Called<bool> {
        // It is never destroyed.
        match unsafe { result::event::query(self.0) } {
            Err(DriverError(CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            answer => call("cuEventQuery", answer).map(|()| true),
        }
    }

    pub(crate) fn synchronize(self) -> Called<()> {
        // It is never destroyed.
        call("cuEventSynchronize", unsafe { result::event::synchronize(self.0) })
    }
}
