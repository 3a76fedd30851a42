import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The kernel's table of processes, on Linux. */
const PROCESS_TABLE = '/proc';

/**
 * Ids of all processes that run with this home in their environment. The home is a name of one test only: an id, a
 * group or a port of an ended process may be another one's a moment later.
 */
export function processesOfHome(home: string, variable = 'TILLBRIDGE_HOME'): number[] {
  const mark = `${variable}=${home}`;
  return existsSync(`${PROCESS_TABLE}/self/environ`) ? fromTable(mark) : fromPs(mark);
}

function fromTable(mark: string): number[] {
  return readdirSync(PROCESS_TABLE)
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark))
    .map(Number);
}

/** Empty for a process that ended meanwhile, or of another user. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`${PROCESS_TABLE}/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

function fromPs(mark: string): number[] {
  return execFileSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark))
    .map((line) => Number.parseInt(line, 10));
}
