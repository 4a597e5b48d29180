/* CUDA without a GPU, for tools/dry_gpu.py: memory is the host's, a copy is a copy, and a kernel does nothing but count.

   The functions of the CUDA runtime are those with `dry_` before their name; CuPy's own copies of the runtime are made to jump here.
   The driver's and the compiler's have the names under which CuPy looks for them. Whatever else CuPy calls returns 0, success. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

long launches, reads, waits;

int dry_nothing(void) { return 0; }

static int get(void** at, size_t size) {
  if (posix_memalign(at, 512, size ? size : 512)) return 2;
  memset(*at, 0, size);
  return 0;
}
int dry_cudaMalloc(void** at, size_t size) { return get(at, size); }
int dry_cudaMallocAsync(void** at, size_t size, void* stream) { return get(at, size); }
int dry_cudaMallocHost(void** at, size_t size) { return get(at, size); }
int dry_cudaHostAlloc(void** at, size_t size, unsigned flags) { return get(at, size); }
int dry_cudaFree(void* at) { free(at); return 0; }
int dry_cudaFreeAsync(void* at, void* stream) { free(at); return 0; }
int dry_cudaFreeHost(void* at) { free(at); return 0; }
int dry_cudaMemGetInfo(size_t* unused, size_t* all) { *unused = *all = (size_t)1 << 40; return 0; }

static int copy(void* to, const void* from, size_t size, int kind) {
  reads += kind == 2; /* from the device to the host */
  memmove(to, from, size);
  return 0;
}
int dry_cudaMemcpy(void* to, const void* from, size_t size, int kind) { return copy(to, from, size, kind); }
int dry_cudaMemcpyAsync(void* to, const void* from, size_t size, int kind, void* stream) { return copy(to, from, size, kind); }
int dry_cudaMemset(void* at, int byte, size_t size) { memset(at, byte, size); return 0; }
int dry_cudaMemsetAsync(void* at, int byte, size_t size, void* stream) { memset(at, byte, size); return 0; }

int dry_cudaGetDevice(int* device) { *device = 0; return 0; }
int dry_cudaGetDeviceCount(int* count) { *count = 1; return 0; }
int dry_cudaDriverGetVersion(int* version) { *version = 13000; return 0; }
int dry_cudaRuntimeGetVersion(int* version) { *version = 13000; return 0; }
int dry_cudaGetDeviceProperties(void* properties, int device) { memset(properties, 0, 64); return 0; }
int dry_cudaDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 1: case 2: case 3: *value = 1024; break; /* threads of a block */
    case 4: *value = 64; break;
    case 5: *value = 2147483647; break; /* blocks */
    case 6: case 7: *value = 65535; break;
    case 8: *value = 49152; break; /* shared memory */
    case 10: *value = 32; break; /* threads of a warp */
    case 16: *value = 132; break; /* processors */
    case 75: *value = 9; break; /* compute capability 9.0 */
    case 76: *value = 0; break;
    default: *value = 1;
  }
  return 0;
}
typedef struct { int type, device; void *on_device, *on_host; } Attributes;
int dry_cudaPointerGetAttributes(Attributes* found, void* at) { *found = (Attributes){2, 0, at, NULL}; return 0; }
int dry_cudaStreamIsCapturing(void* stream, int* status) { *status = 0; return 0; }
int dry_cudaStreamCreate(void** made) { *made = (void*)8; return 0; }
int dry_cudaStreamCreateWithFlags(void** made, unsigned flags) { *made = (void*)8; return 0; }
int dry_cudaEventCreate(void** made) { *made = (void*)8; return 0; }
int dry_cudaEventCreateWithFlags(void** made, unsigned flags) { *made = (void*)8; return 0; }
int dry_cudaStreamSynchronize(void* stream) { ++waits; return 0; }
int dry_cudaDeviceSynchronize(void) { ++waits; return 0; }
int dry_cudaEventSynchronize(void* event) { ++waits; return 0; }
int dry_cudaLaunchKernel(void) { ++launches; return 0; }
const char* dry_cudaGetErrorName(int error) { return "error"; }
const char* dry_cudaGetErrorString(int error) { return "an error of CUDA without a GPU"; }

/* the driver */
int cuLaunchKernel(void) { ++launches; return 0; }
int cuLaunchCooperativeKernel(void) { ++launches; return 0; }
int cuModuleLoadData(void** made, const void* code) { *made = (void*)8; return 0; }
int cuModuleLoad(void** made, const void* path) { *made = (void*)8; return 0; }
int cuModuleUnload(void* module) { return 0; }
int cuModuleGetFunction(void** found, void* module, const char* name) { *found = (void*)8; return 0; }
int cuCtxGetCurrent(void** found) { *found = (void*)8; return 0; }
int cuCtxGetDevice(int* found) { *found = 0; return 0; }
int cuFuncGetAttribute(int* value, int attribute, void* function) { *value = attribute ? 0 : 1024; return 0; }
int cuFuncSetAttribute(void* function, int attribute, int value) { return 0; }
int cuOccupancyMaxPotentialBlockSize(int* blocks, int* threads, void* function, void* shared, size_t size, int limit) {
  *blocks = 132, *threads = 1024;
  return 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t size) { *blocks = 2; return 0; }

/* the compiler */
int nvrtcVersion(int* major, int* minor) { *major = 12, *minor = 9; return 0; }
int nvrtcCreateProgram(void** made, const char* text, const char* name, int count, const char** h, const char** n) {
  *made = (void*)8;
  return 0;
}
int nvrtcDestroyProgram(void** program) { return 0; }
int nvrtcCompileProgram(void* program, int count, const char** options) { return 0; }
int nvrtcGetPTXSize(void* program, size_t* size) { *size = 4; return 0; }
int nvrtcGetPTX(void* program, char* text) { memcpy(text, "ptx", 4); return 0; }
int nvrtcGetCUBINSize(void* program, size_t* size) { *size = 4; return 0; }
int nvrtcGetCUBIN(void* program, char* text) { memcpy(text, "bin", 4); return 0; }
int nvrtcGetProgramLogSize(void* program, size_t* size) { *size = 1; return 0; }
int nvrtcGetProgramLog(void* program, char* text) { *text = 0; return 0; }
int nvrtcAddNameExpression(void* program, const char* name) { return 0; }
int nvrtcGetLoweredName(void* program, const char* name, const char** lowered) { *lowered = "kernel"; return 0; }
const char* nvrtcGetErrorString(int error) { return "an error of the compiler"; }

/* cuBLAS, cuFFT and the others: those whose results CuPy reads. */
int cublasCreate_v2(void** made) { *made = (void*)8; return 0; }
int cusolverDnCreate(void** made) { *made = (void*)8; return 0; }
int cusparseCreate(void** made) { *made = (void*)8; return 0; }
int cufftCreate(int* made) { *made = 1; return 0; }
int cufftMakePlan1d(int plan, int size, int type, int batch, size_t* work) { *work = 0; return 0; }
int cufftMakePlanMany(int plan, int rank, void* sizes, void* in, int stride, int distance, void* out, int stride_out,
                      int distance_out, int type, int batch, size_t* work) {
  *work = 0;
  return 0;
}
