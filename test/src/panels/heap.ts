import { launchBrowser } from '../browser/launch.js';
import { measureHeap } from './simulator-heap.js';

const EVENTS = 100_000;
/** By how much of its size the heap may differ. */
const TOLERANCE = 0.1;

const USAGE = `usage: npm run panel-heap

Opens the simulator's panel in Chromium, lets ${EVENTS} events pass, and measures its heap after a collection before and behind.
Exit codes: 0 within ${100 * TOLERANCE} %, 1 beyond, 2 wrong usage.
`;

async function main(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    const isHelp = args[0] === '--help' || args[0] === '-h';
    (isHelp ? process.stdout : process.stderr).write(USAGE);
    return isHelp ? 0 : 2;
  }
  const browser = await launchBrowser();
  try {
    const { beforeBytes, afterBytes } = await measureHeap(browser, EVENTS);
    const growth = afterBytes / beforeBytes - 1;
    process.stdout.write(
      `panel-heap: ${beforeBytes} bytes before, ${afterBytes} after ${EVENTS} events (${(100 * growth).toFixed(1)} %)\n`,
    );
    return Math.abs(growth) <= TOLERANCE ? 0 : 1;
  } finally {
    await browser.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
