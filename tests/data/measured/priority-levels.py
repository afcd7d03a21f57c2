# Which of several waiting kernels goes first, by the priority of its stream: a filler of priority 0 holds the GPU, then one kernel a level arrives.
import cupy, json, sys, ctypes, time
import cupy.cuda.runtime as rt
src=r'''
extern "C" __global__ void spin(unsigned long long *r, unsigned long long ns){
  unsigned long long t0,t; asm volatile("mov.u64 %0, %%globaltimer;":"=l"(t0));
  do { asm volatile("mov.u64 %0, %%globaltimer;":"=l"(t)); } while(t-t0<ns);
  __syncthreads();
  if(threadIdx.x==0){ unsigned sm; asm volatile("mov.u32 %0, %%smid;":"=r"(sm)); r[3*blockIdx.x]=t0; r[3*blockIdx.x+1]=t; r[3*blockIdx.x+2]=sm; }
}'''
k=cupy.RawKernel(src,'spin'); 
out={'range':None,'runs':[]}
cu=ctypes.CDLL('libcuda.so.1'); lo=ctypes.c_int(); hi=ctypes.c_int(); cupy.zeros(1); cu.cuCtxGetStreamPriorityRange(ctypes.byref(lo),ctypes.byref(hi)); out['range']=[lo.value,hi.value]
levels=list(range(lo.value,hi.value-1,-1)); sms=cupy.cuda.Device().attributes['MultiProcessorCount']
def stream(p):
    s=ctypes.c_void_p(); e=cu.cuStreamCreateWithPriority(ctypes.byref(s),1,p); assert e==0
    return cupy.cuda.ExternalStream(s.value)
for order in (levels, levels[::-1], [levels[i] for i in (2,5,0,4,1,3)] if len(levels)==6 else levels):
  for filler_level in (lo.value, hi.value):
    n=2*sms
    fs=stream(filler_level); ss={p:stream(p) for p in order}
    bufs={p:cupy.zeros(3*n,dtype=cupy.uint64) for p in order}; fb=cupy.zeros(3*4*n,dtype=cupy.uint64)
    with fs: k((1,),(32,),(fb,cupy.uint64(0)))
    cupy.cuda.Device().synchronize()
    with fs: k((4*n,),(1024,),(fb,cupy.uint64(2_000_000)))      # four waves of 2 ms
    t=time.perf_counter()
    while time.perf_counter()-t<0.0005: pass
    for p in order:
        with ss[p]: k((n,),(1024,),(bufs[p],cupy.uint64(1_000_000)))
    cupy.cuda.Device().synchronize()
    f=fb.get().reshape(-1,3); base=int(f[:,0].min())
    run={'filler':filler_level,'launched':order,'filler_waves_us':sorted({round((int(x)-base)/1e3/500)*500 for x in f[:,0]}),'kernels':[]}
    for p in order:
        b=bufs[p].get().reshape(-1,3); run['kernels'].append({'priority':p,'first_us':(int(b[:,0].min())-base)/1e3,'last_us':(int(b[:,0].max())-base)/1e3,'end_us':(int(b[:,1].max())-base)/1e3})
    out['runs'].append(run)
json.dump(out,open(sys.argv[1],'w'),indent=1); print(json.dumps(out))
