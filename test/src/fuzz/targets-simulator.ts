import { ApduReader } from '@tillbridge/hardware-sim/inspection/apdu-reader.js';
import { readEscPos } from '@tillbridge/hardware-sim/printer/esc-pos.js';
import { modelSpec } from '@tillbridge/hardware-sim/terminals/models.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { DEVICE_TYPES } from '@tillbridge/wire/terminals/device-types.js';
import { type FuzzTarget, PropertyError } from './target.js';

/** A reader of lines keeps every byte: what it returns and what it still holds are the input. */
function readsLine(model: (typeof DEVICE_TYPES)[number], transport: string): FuzzTarget {
  return {
    name: `simulator/wire/${model}/${transport}`,
    corpus: [Buffer.from('16475849303216', 'hex'), Buffer.from([1, 0, 4, 0xee, 0xe0, 0, 0, 0x0b])],
    run: (input) => {
      for (const direction of ['in', 'out'] as const) {
        const frames = modelSpec(model).wire(transport).take(direction, input);
        const bytes = Buffer.concat(frames.map((frame) => frame.bytes));
        if (!bytes.equals(Buffer.from(input.subarray(0, bytes.length))))
          throw new PropertyError('frames are other bytes than the line had');
        for (const { objects } of frames) objects?.();
      }
    },
  };
}

/** What the simulator shows of what others sent. */
export const SIMULATOR_TARGETS: readonly FuzzTarget[] = [
  ...DEVICE_TYPES.flatMap((model) =>
    modelSpec(model).transports.map((transport) => readsLine(model, transport)),
  ),
  {
    name: 'simulator/apdu',
    corpus: [fromHex('80AE80000412345678007711'), fromHex('00A404000E315041592E5359532E444446303100')],
    run: (input) => {
      const reader = new ApduReader();
      const middle = input.length >>> 1;
      reader.read(input.subarray(0, middle), input.subarray(middle));
      reader.read(input, input);
    },
  },
  {
    name: 'simulator/esc-pos',
    corpus: [Buffer.from('\x1b@\x1bE\x01SHOP\n\x1dV\x42\x00', 'latin1')],
    run: (input) => void readEscPos(input),
  },
];
