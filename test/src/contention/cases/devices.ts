import type { DeviceRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { ContentionTable, Stage } from './contention-case.js';
import { post } from './requests.js';

const step = (stage: Stage, name: string, form: Record<string, string> = {}, serial = stage.own.device) => {
  const { own } = stage;
  return { ...post(stage, `/v1/devices/${serial}/${name}`), form: { entityId: own.merchant, ...form } };
};

/** Whether the device, and the one in stock, are in a state that they may end in; one place has one device. */
const states =
  (...allowed: readonly DeviceRow['state'][]) =>
  async ({ own, store }: Stage): Promise<readonly string[]> => {
    const rows = await store.find('devices', 'entity', [own.channel]);
    const device = rows.find(({ serial }) => serial === own.device);
    const placed = rows.filter(({ state, terminalId }) => state === 'active' && terminalId !== null);
    const places = new Set(placed.map(({ agentId, terminalId }) => `${agentId} ${terminalId}`));
    return [
      ...(device && allowed.includes(device.state) ? [] : [`the device is ${device?.state}`]),
      ...(places.size < placed.length ? ['two active devices have one place'] : []),
    ];
  };

/** The steps of devices of an inventory. */
export const DEVICE_CASES: ContentionTable = {
  'POST /v1/devices/{id}/assignment': {
    equal: [
      {
        what: 'from stock to no agent',
        requests: (stage) => () => step(stage, 'assignment', {}, stage.own.spareDevice),
        refused: [400, 409],
        check: states('active'),
      },
    ],
    conflicting: [
      {
        what: 'two devices to one place',
        requests: async (stage) => {
          await stage.send(step(stage, 'assignment'));
          return (at) =>
            step(
              stage,
              'assignment',
              { agentId: stage.own.agent, terminalId: stage.own.terminal },
              at % 2 === 0 ? stage.own.device : stage.own.spareDevice,
            );
        },
        refused: [400, 409],
        check: states('active'),
      },
    ],
  },
  'POST /v1/devices/{id}/suspension': {
    equal: [
      {
        what: 'for a while',
        requests: (stage) => () => step(stage, 'suspension'),
        refused: [400, 409],
        check: states('suspended'),
      },
    ],
    conflicting: [
      {
        what: 'racing resumption and swap',
        requests: (stage) => (at) =>
          [
            step(stage, 'suspension'),
            step(stage, 'resumption'),
            step(stage, 'swap', { replacement: stage.own.spareDevice }),
          ][at % 3] ?? step(stage, 'suspension'),
        refused: [400, 409],
        check: states('active', 'suspended', 'decommissioned'),
      },
    ],
  },
  'POST /v1/devices/{id}/resumption': {
    equal: [
      {
        what: 'of one that is suspended',
        requests: async (stage) => {
          await stage.send(step(stage, 'suspension'));
          return () => step(stage, 'resumption');
        },
        refused: [400, 409],
        check: states('active'),
      },
    ],
    conflicting: [
      {
        what: 'racing the end of it',
        requests: async (stage) => {
          await stage.send(step(stage, 'suspension'));
          return (at) => step(stage, at === 0 ? 'decommission' : 'resumption');
        },
        refused: [400, 409],
        check: states('decommissioned'),
      },
    ],
  },
  'POST /v1/devices/{id}/swap': {
    equal: [
      {
        what: 'for one in stock',
        requests: (stage) => () => step(stage, 'swap', { replacement: stage.own.spareDevice }),
        refused: [400, 409],
        accepted: 1,
        check: states('decommissioned'),
      },
    ],
    conflicting: [
      {
        what: 'racing the assignment of its replacement',
        requests: (stage) => (at) =>
          at % 2 === 0
            ? step(stage, 'swap', { replacement: stage.own.spareDevice })
            : step(stage, 'assignment', {}, stage.own.spareDevice),
        refused: [400, 409],
        check: states('active', 'decommissioned'),
      },
    ],
  },
  'POST /v1/devices/{id}/decommission': {
    equal: [
      {
        what: 'one',
        requests: (stage) => () => step(stage, 'decommission'),
        refused: [400, 409],
        check: states('decommissioned'),
      },
    ],
    conflicting: [
      {
        what: 'racing suspension and assignment',
        requests: (stage) => (at) =>
          [step(stage, 'decommission'), step(stage, 'suspension'), step(stage, 'assignment')][at % 3] ??
          step(stage, 'decommission'),
        refused: [400, 409],
        check: states('decommissioned'),
      },
    ],
  },
};
