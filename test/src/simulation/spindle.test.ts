import { VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { expect, test } from 'vitest';
import { SeededRandom } from './seeded-random.js';
import { SimProcess } from './sim-process.js';
import { DiskRefusal, Spindle } from './spindle.js';
import { Trace } from './trace.js';

function machine(seed: string) {
  const clock = new VirtualClock();
  const trace = new Trace(clock);
  const oddities: string[] = [];
  const spindle = new Spindle('disk', clock, new SeededRandom(seed), trace, (oddity) =>
    oddities.push(oddity),
  );
  const process = new SimProcess('process', clock, { offsetMs: 0 }, trace);
  return { clock, spindle, process, oddities };
}

test('strikes once, while the next write is on its way', async () => {
  const { clock, spindle, process } = machine('strike');
  const seen: string[] = [];
  spindle.strikeInAWrite(() => seen.push('strike'));
  for (const write of ['first', 'second']) {
    const written = spindle.write(process, write, () => seen.push(write));
    await clock.advance(100);
    await written;
  }
  expect(seen).toEqual(['strike', 'first', 'second']);
});

test('tells of a write that a power loss took, and of none that reached the disk', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { clock, spindle, process, oddities } = machine(`power ${seed}`);
    let landed = false;
    void spindle.write(process, 'row', () => {
      landed = true;
    });
    process.die('power');
    await clock.advance(100);
    expect(oddities).toEqual(landed ? [] : ['torn-by-power-loss']);
  }
});

test('tells of a failed write that the disk has all the same, and of none that it has not', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { clock, spindle, process, oddities } = machine(`fault ${seed}`);
    spindle.fault = 'io-error';
    let landed = false;
    const failed = expect(
      spindle.write(process, 'row', () => {
        landed = true;
      }),
    ).rejects.toThrow(DiskRefusal);
    await clock.advance(100);
    await failed;
    expect(oddities).toEqual(landed ? ['kept-failed-write'] : []);
  }
});
