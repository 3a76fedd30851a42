import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import {
  type ApplicationData,
  type ApplicationRisk,
  decodeApplicationObjects,
  encodeApplicationObjects,
  riskOf,
  withRisk,
} from '@tillbridge/wire/terminals/idtech/application-data.js';
import type { SecureObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { ALWAYS_ONLINE } from '../../kernel/terminal-parameters.js';
import type { StateSlot } from '../../state/state-slot.js';
import { TERMINAL_AIDS } from '../core/terminal-applications.js';
import { StatusError } from './step-error.js';

/** Objects of each application by its AID, as 60-01 answers them, hex. */
type StoredApplications = Readonly<Record<string, string>>;

const HEX = /^(?:[0-9A-F]{2})+$/;

/** Checks what a state file holds. @throws TypeError */
export function parseStoredApplications(json: unknown): StoredApplications {
  const entries = Object.entries((json ?? {}) as Record<string, unknown>);
  for (const [aid, objects] of entries) {
    if (!HEX.test(aid) || typeof objects !== 'string' || !HEX.test(objects)) {
      throw new TypeError('applications must map AIDs to objects, both hex');
    }
  }
  return json as StoredApplications;
}

/** The applications that the device accepts, with what its host configured for them. */
export class Applications {
  readonly #slot: StateSlot<StoredApplications>;

  constructor(slot: StateSlot<StoredApplications>) {
    this.#slot = slot;
  }

  /** AIDs, hex. */
  get aids(): readonly string[] {
    return TERMINAL_AIDS;
  }

  /** The objects of an application. @throws StatusError notThere */
  objects(aid: string): readonly SecureObject[] {
    if (!TERMINAL_AIDS.includes(aid)) throw new StatusError('notThere');
    const stored = this.#slot.read()?.[aid];
    return stored === undefined ? withRisk([], ALWAYS_ONLINE) : decodeApplicationObjects(fromHex(stored));
  }

  /** The risk management of an application; that of one which the device does not know sends everything online. */
  risk(aid: string): ApplicationRisk {
    return TERMINAL_AIDS.includes(aid) ? riskOf(this.objects(aid)) : ALWAYS_ONLINE;
  }

  /** Replaces the objects of an application. @throws StatusError parameterNotSupported for one that it has no kernel for */
  set({ aid, objects }: ApplicationData): void {
    if (!TERMINAL_AIDS.includes(aid)) throw new StatusError('parameterNotSupported');
    this.#slot.write({ ...this.#slot.read(), [aid]: toHex(encodeApplicationObjects(objects)) });
  }
}
