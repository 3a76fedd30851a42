import type { FuzzTarget } from './target.js';
import { ACQUIRER_HOST_TARGETS } from './targets-acquirer-host.js';
import { AGENT_TARGETS, UPDATE_TARGETS } from './targets-agent.js';
import { BACKOFFICE_TARGETS } from './targets-backoffice.js';
import { CRYPTO_TARGETS } from './targets-crypto.js';
import { EMV_TARGETS } from './targets-emv.js';
import { IDTECH_TARGETS } from './targets-idtech.js';
import { ISO8583_TARGETS } from './targets-iso8583.js';
import { MAGTEK_TARGETS } from './targets-magtek.js';
import { NEWLAND_TARGETS } from './targets-newland.js';
import { SIMULATOR_TARGETS } from './targets-simulator.js';
import { TERMINAL_TARGETS } from './targets-terminals.js';
import { THREE_D_SECURE_TARGETS } from './targets-three-d-secure.js';
import { NEXO_TARGETS, ZVT_TARGETS } from './targets-tills.js';
import { VERIFONE_TARGETS } from './targets-verifone.js';
import { WIRE_TARGETS } from './targets-wire.js';

/** Every parser that reads what others sent. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...EMV_TARGETS,
  ...CRYPTO_TARGETS,
  ...WIRE_TARGETS,
  ...ISO8583_TARGETS,
  ...ACQUIRER_HOST_TARGETS,
  ...TERMINAL_TARGETS,
  ...IDTECH_TARGETS,
  ...MAGTEK_TARGETS,
  ...NEWLAND_TARGETS,
  ...VERIFONE_TARGETS,
  ...THREE_D_SECURE_TARGETS,
  ...BACKOFFICE_TARGETS,
  ...NEXO_TARGETS,
  ...ZVT_TARGETS,
  ...AGENT_TARGETS,
  ...SIMULATOR_TARGETS,
  ...UPDATE_TARGETS,
];
