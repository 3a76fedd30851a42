import { HomeInUseError, type HomeLock, lockHome } from '@tillbridge/platform/home-lock.js';
import { startIsOver } from '@tillbridge/platform/start-is-over.js';
import { UsageError } from '../command-line/command-line.js';
import { makeHome, ROOT } from '../stack/layout.js';
import { HELP, readOptions, type StackOptions } from '../stack/options.js';
import { type Stack, startStack } from '../stack/stack.js';
import { StartFailure } from '../stack/start-failure.js';
import { summary } from './summary.js';

const USAGE_EXIT_CODE = 2;
/** Of a tour that was not walked to its end. */
const INTERRUPTED_EXIT_CODE = 130;

/** Shorter than a shop would wait, so that the tour's unknown outcomes come soon. */
const TOUR_ANSWER_TIMEOUT_MS = 5_000;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env, ROOT);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const stopped = stopSignal();
  const lock = await takeHome(options);
  try {
    return await runStack(options, stopped);
  } finally {
    await lock?.release();
  }
}

/**
 * The home for one start of the whole system: its parts name their own variables where a second one finds them running. A part that is
 * started by itself joins the system of its home.
 * @throws HomeInUseError, UsageError
 */
async function takeHome({ home, only }: StackOptions): Promise<HomeLock | undefined> {
  if (only) return undefined;
  makeHome(home);
  return lockHome({ home, program: 'npm start', variable: 'TILLBRIDGE_HOME' });
}

async function runStack(options: StackOptions, stopped: Promise<void>): Promise<number> {
  const stack = await startUnlessStopped(options, stopped);
  if (!stack) return options.tour ? INTERRUPTED_EXIT_CODE : 0;
  process.stdout.write(`${summary(options, stack.dev, process.stdout.isTTY).join('\n')}\n`);
  startIsOver();
  try {
    if (!options.tour) return await stayUp(options, stack, stopped);
    const { runTour } = await import('../tour/run-tour.js');
    return await Promise.race([runTour(stack, process.stdout), stopped.then(() => INTERRUPTED_EXIT_CODE)]);
  } finally {
    await stack.stop();
  }
}

/** The running system; undefined when a signal to the whole group has ended a part before it listened. */
async function startUnlessStopped(options: StackOptions, stopped: Promise<void>): Promise<Stack | undefined> {
  let isStopped = false;
  stopped.then(() => {
    isStopped = true;
  });
  try {
    return await startStack(options, {
      ...(options.tour && { answerTimeoutMs: TOUR_ANSWER_TIMEOUT_MS }),
      onStart: (name) => void process.stderr.write(`starting ${name} ...\n`),
    });
  } catch (error) {
    if (isStopped) return undefined;
    throw error;
  }
}

/** Resolves at the first SIGINT or SIGTERM; later ones change nothing, the parts are being ended then. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

/**
 * Waits for the signal; a part that ends meanwhile is reported and stays down until it is started again. Where only one part was
 * requested and has ended, there is nothing to stay up for.
 */
async function stayUp({ only }: StackOptions, stack: Stack, stopped: Promise<void>): Promise<number> {
  let stopping = false;
  const ends = (['gateway', 'simulator', 'agent'] as const).flatMap((name) => {
    const ended = stack.part(name)?.ended.then((how) => {
      if (!stopping)
        process.stdout.write(`${name} ended (${how}); start it again: npm start -- --only ${name}\n`);
    });
    return ended ? [ended] : [];
  });
  const allEnded = only ? Promise.all(ends) : new Promise<never>(() => undefined);
  // The event loop has to stay alive even when every part has ended.
  const alive = setInterval(() => undefined, 2 ** 30);
  const code = await Promise.race([stopped.then(() => 0), allEnded.then(() => 1)]);
  stopping = true;
  clearInterval(alive);
  return code;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError || error instanceof HomeInUseError;
    const known = isUsage || error instanceof StartFailure;
    process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = error instanceof StartFailure ? error.exitCode : isUsage ? USAGE_EXIT_CODE : 1;
  },
);
