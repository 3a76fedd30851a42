// The process under the preloaded library: child.js <workload> <folder> [synchronous mode]
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MARKS_FILE } from './disk-log.js';
import { SABOTAGES, syncLess } from './sabotage.js';
import { workloadNamed } from './workloads.js';

const [name = '', folder = '', mode] = process.argv.slice(2);
const sabotage = SABOTAGES.find((each) => each === mode);
if (sabotage) syncLess(sabotage);
const marks = openSync(join(folder, MARKS_FILE), 'a');
await workloadNamed(name).run(folder, (commits) => {
  writeSync(marks, String(commits));
});
