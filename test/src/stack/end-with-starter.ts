/**
 * Preloaded by a part: ends it when the process that started it is gone, also by `kill -9`. The starter never writes to this pipe; only its
 * end closes it.
 */
const TIME_TO_STOP_MS = 10_000;

process.stdin.once('close', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIME_TO_STOP_MS).unref();
});
process.stdin.resume();
(process.stdin as NodeJS.ReadStream & { unref(): void }).unref();
