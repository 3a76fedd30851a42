/**
 * Variables of a process of Node whose wall clock is ahead at its start, and whose whole clock (wall, monotonic and timers) runs `times`
 * as fast from there on: minutes of waiting in seconds, and nothing in the program knows. Few times, since whatever it does at intervals
 * it does as often, and on a busy machine it would come to nothing else.
 */
export function fastClock(times: number, aheadHours: number): NodeJS.ProcessEnv {
  const program = [
    `const times=${times},now=Date.now,since=now(),wait=setTimeout;`,
    `Date.now=()=>since+${aheadHours * 3_600_000}+Math.round((now()-since)*times);`,
    'const mono=performance.now.bind(performance),start=mono();',
    'performance.now=()=>start+(mono()-start)*times;',
    'globalThis.setTimeout=(fire,ms,...rest)=>wait(fire,ms/times,...rest);',
  ].join('');
  return preloading(program);
}

/** Variables of a process of Node whose wall clock is ahead. */
export function clockAhead(hours: number): NodeJS.ProcessEnv {
  return preloading(`const now=Date.now;Date.now=()=>now()+${hours * 3_600_000};`);
}

function preloading(program: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
