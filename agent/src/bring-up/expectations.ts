import { readFileSync } from 'node:fs';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Expectation } from './observation.js';

/** Where the expectation of a model stands: recorded from its simulated terminal by a test, which compares it too. */
export function expectationFile(deviceType: DeviceType): URL {
  const name = deviceType.toLowerCase().replace('_', '-');
  return new URL(`data/bring-up/${name}.json`, packageFolder(import.meta.url));
}

/** What the device of a model is expected to do. */
export function expectationOf(deviceType: DeviceType): Expectation {
  return JSON.parse(readFileSync(expectationFile(deviceType), 'utf8')) as Expectation;
}
