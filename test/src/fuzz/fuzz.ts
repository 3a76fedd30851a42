import { mutate, SeededRandom } from './mutate.js';
import { type FuzzTarget, tryInput } from './target.js';

/** An input slower than this is a hang, also when it ends. */
export const SLOW_INPUT_MS = 1_000;
/** Growth of the heap over the second half of a target's time that is a leak; caches of the parsers fill in the first half. */
export const HEAP_GROWTH_LIMIT_BYTES = 16 * 1024 * 1024;

/** Something a parser must not do. */
export interface Finding {
  readonly target: string;
  readonly kind: 'crash' | 'hang' | 'heap growth';
  /** What happened, for people. */
  readonly detail: string;
  /** Uppercase hex, where one input is to blame. */
  readonly inputHex?: string;
}

/** What the fuzzing of one target came to. */
export interface TargetResult {
  readonly inputs: number;
  readonly refused: number;
  readonly finding?: Finding;
}

/** The outside of the fuzzer. */
export interface FuzzSeams {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Heap in use after a collection, finalizers included. */
  readonly heapBytes: () => Promise<number>;
  /** Called with each input before it runs, so that a watcher can name the one that never ends. */
  readonly beforeInput?: (target: string, input: Uint8Array) => void;
}

/** Fuzzes one target for a time; the first finding ends it. The same seed gives the same inputs in the same order. */
export async function fuzzTarget(
  target: FuzzTarget,
  seed: number,
  budgetMs: number,
  seams: FuzzSeams,
): Promise<TargetResult> {
  const random = new SeededRandom(seed);
  const startMs = seams.nowMs();
  const warm = await fuzzUntil(target, random, startMs + budgetMs / 2, seams);
  if (warm.finding) return warm;
  const heapBefore = await seams.heapBytes();
  const main = await fuzzUntil(target, random, startMs + budgetMs, seams);
  const total = { inputs: warm.inputs + main.inputs, refused: warm.refused + main.refused };
  if (main.finding) return { ...total, finding: main.finding };
  const growth = (await seams.heapBytes()) - heapBefore;
  if (growth <= HEAP_GROWTH_LIMIT_BYTES) return total;
  const detail = `${growth} bytes more in use after ${main.inputs} inputs, limit ${HEAP_GROWTH_LIMIT_BYTES}`;
  return { ...total, finding: { target: target.name, kind: 'heap growth', detail } };
}

/** At least one input, then as many as fit. */
async function fuzzUntil(
  target: FuzzTarget,
  random: SeededRandom,
  endMs: number,
  seams: FuzzSeams,
): Promise<TargetResult> {
  let [inputs, refused] = [0, 0];
  let nowMs = seams.nowMs();
  do {
    const input = mutate(random, target.corpus);
    seams.beforeInput?.(target.name, input);
    inputs += 1;
    try {
      const outcome = tryInput(target, input);
      // A turn of the event loop only for parsers that need one: it costs more than most parsers do.
      if ((typeof outcome === 'string' ? outcome : await outcome) === 'refused') refused += 1;
    } catch (error) {
      return { inputs, refused, finding: finding(target, 'crash', describe(error), input) };
    }
    const endedMs = seams.nowMs();
    if (endedMs - nowMs > SLOW_INPUT_MS)
      return {
        inputs,
        refused,
        finding: finding(target, 'hang', `${Math.round(endedMs - nowMs)} ms`, input),
      };
    nowMs = endedMs;
  } while (nowMs < endMs);
  return { inputs, refused };
}

function finding(target: FuzzTarget, kind: Finding['kind'], detail: string, input: Uint8Array): Finding {
  return { target: target.name, kind, detail, inputHex: Buffer.from(input).toString('hex').toUpperCase() };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
