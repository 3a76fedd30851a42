// The process under the preloaded library: child.js <workload> <folder> [synchronous mode]
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MARKS_FILE } from './disk-log.js';
import { MUTATIONS, syncLess } from './mutation.js';
import { workloadNamed } from './workloads.js';

const [name = '', folder = '', mode] = process.argv.slice(2);
const mutation = MUTATIONS.find((each) => each === mode);
if (mutation) syncLess(mutation);
const marks = openSync(join(folder, MARKS_FILE), 'a');
await workloadNamed(name).run(folder, (commits) => {
  writeSync(marks, String(commits));
});
