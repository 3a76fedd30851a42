import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Loaded beforehand (`--import`) into a process whose memory is measured: it collects its garbage at SIGUSR2. */
export const COLLECT_GARBAGE = `--import ${fileURLToPath(import.meta.url)}`;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
process.on('SIGUSR2', () => {
  if (typeof collect === 'function') collect();
});
