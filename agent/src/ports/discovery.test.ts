import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { discoverPorts } from './discovery.js';
import { PortOpenError } from './port-open-error.js';

/** The error of a program that is not there, as the system gives it. */
async function missing(program: string): Promise<never> {
  const [error] = await once(spawn(program), 'error').catch((reason: unknown) => [reason]);
  throw error;
}

const noHid = () => Promise.reject(new PortOpenError('x', 'library', 'no USB-HID here'));

it('reports what to install where a program of the system is missing, and goes on', async () => {
  const serial = () => missing('udevadm-that-is-not-there');
  expect(await discoverPorts({ serial, hid: noHid })).toEqual({
    ports: [],
    problems: [
      'serial ports could not be listed: the program udevadm-that-is-not-there is missing',
      'USB-HID devices could not be listed: no USB-HID here',
    ],
  });
  const udev = Object.assign(new Error('spawn udevadm ENOENT'), { code: 'ENOENT', syscall: 'spawn udevadm' });
  const { problems } = await discoverPorts({ serial: () => Promise.reject(udev), hid: noHid });
  expect(problems[0]).toMatch(/the program udevadm is missing \(Debian: apt-get install udev\)$/);
});
