import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, test } from 'vitest';
import { SeededRandom } from '../kernel/seeded-random.js';
import { SimProcess } from '../kernel/sim-process.js';
import { Trace } from '../kernel/trace.js';
import { DiskError, SimulatedDisk } from './simulated-disk.js';

function machine(seed: string) {
  const clock = new VirtualClock();
  const trace = new Trace(clock);
  const oddities: string[] = [];
  const simulatedDisk = new SimulatedDisk('disk', clock, new SeededRandom(seed), trace, (oddity) =>
    oddities.push(oddity),
  );
  const process = new SimProcess('process', clock, { offsetMs: 0 }, trace);
  return { clock, simulatedDisk, process, oddities };
}

test('strikes once, while the next write is on its way', async () => {
  const { clock, simulatedDisk, process } = machine('strike');
  const seen: string[] = [];
  simulatedDisk.strikeInAWrite(() => seen.push('strike'));
  for (const write of ['first', 'second']) {
    const written = simulatedDisk.write(process, write, () => seen.push(write));
    await clock.advance(100);
    await written;
  }
  expect(seen).toEqual(['strike', 'first', 'second']);
});

test('reports a write that was lost in a power cut, and none that reached the disk', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { clock, simulatedDisk, process, oddities } = machine(`power ${seed}`);
    let landed = false;
    void simulatedDisk.write(process, 'row', () => {
      landed = true;
    });
    process.die('power');
    await clock.advance(100);
    expect(oddities).toEqual(landed ? [] : ['torn-by-power-loss']);
  }
});

test('reports a failed write that is on the disk all the same, and none that is not', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { clock, simulatedDisk, process, oddities } = machine(`fault ${seed}`);
    simulatedDisk.fault = 'io-error';
    let landed = false;
    const failed = expect(
      simulatedDisk.write(process, 'row', () => {
        landed = true;
      }),
    ).rejects.toThrow(DiskError);
    await clock.advance(100);
    await failed;
    expect(oddities).toEqual(landed ? ['kept-failed-write'] : []);
  }
});
