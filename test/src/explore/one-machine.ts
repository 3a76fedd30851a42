import { MACHINES, type MachineName } from './machines.js';
import type { ExploreOptions } from './options.js';

/** What a separate process is to explore. */
export type OneMachine = Pick<ExploreOptions, 'bound' | 'seconds' | 'memoryMib'> & {
  readonly machine: MachineName;
};

const { machine, bound, seconds, memoryMib } = JSON.parse(process.argv[2] ?? '') as OneMachine;
const found = await MACHINES[machine].explore(bound, {}, { seconds, memoryMib });
process.send?.(found);
