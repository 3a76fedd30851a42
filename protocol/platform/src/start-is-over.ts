import type { EventEmitter } from 'node:events';

/** Has the loader of the program's bundle (`bin/load-program.js`) keep the code that was compiled for this start. */
export function startIsOver(): void {
  (process as EventEmitter).emit('tillbridge:started');
}
