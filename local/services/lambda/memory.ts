/** Memory: the resident memory of a worker, with its buffers, as Lambda counts it. */

const MIB = 1024 * 1024;

/** The resident memory of a Node process besides its heap and buffers: 35 MB for Node 24 (measured). */
const RUNTIME_BYTES = 35 * MIB;

/** How often the memory of a running worker is read. A higher peak in between stays unseen. */
const READ_EVERY_MS = 100;

/** What V8 tells about the memory of a thread, in bytes. Buffers are external memory. */
interface HeapFigures {
  readonly total_physical_size: number;
  readonly external_memory: number;
}

/** The resident memory of a process whose heap has these figures, in bytes. */
export const residentBytes = (heap: HeapFigures): number =>
  RUNTIME_BYTES + heap.total_physical_size + heap.external_memory;

/** Whether Lambda would kill a function of `memoryMb` that holds these bytes. */
export const exceeds = (bytes: number, memoryMb: number): boolean => bytes > memoryMb * MIB;

/** Calls `seen` with the resident memory of a worker, again and again. Returns a function that ends this. */
export const watchMemory = (
  read: () => Promise<HeapFigures>,
  seen: (bytes: number) => void,
): (() => void) => {
  let stopped = false;
  const look = async (): Promise<void> => {
    const bytes = residentBytes(await read());
    if (!stopped) seen(bytes);
  };
  // A worker that ends meanwhile has no figures.
  const timer = setInterval(() => void look().catch(() => undefined), READ_EVERY_MS).unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
};
