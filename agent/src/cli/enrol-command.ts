import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import type { AgentConfig } from '../config/config.js';
import { lockAgentHome } from '../home/home-files.js';
import { type Enrolled, enrol } from '../uplink/enrol.js';
import { writePins } from '../uplink/gateway-trust.js';
import { completeIdentity, knownAgentId, pendingKey } from '../uplink/identity.js';
import { ENROLMENT_TLS } from '../uplink/tls-trust.js';
import { websocketConnector } from '../uplink/websocket-connector.js';
import { CommandError, EXIT } from './exit-code.js';
import { noteCommand } from './note-command.js';
import type { Output } from './sale-command.js';

/** How long the gateway may take. */
const ENROLMENT_TIMEOUT_MS = 15_000;

/** What a code of each purpose is used with. */
const USES: Readonly<Record<EnrolmentPurpose, string>> = {
  [EnrolmentPurpose.ENROLMENT_PURPOSE_UNSPECIFIED]: 'nothing',
  [EnrolmentPurpose.NEW_AGENT]: 'tillbridge-agent enrol CODE, in a home that has no agent yet',
  [EnrolmentPurpose.NEW_KEY]: 'tillbridge-agent enrol CODE, in the home of the agent',
  [EnrolmentPurpose.REPLACEMENT]:
    'tillbridge-agent restore --from COPY --key-file FILE --code CODE; without a copy: restore --as-is --code CODE',
};

/**
 * Enrols the agent of a home, or gives it another key; resolves with the exit code.
 * @throws CommandError, IdentityError, EnrolmentError, EnrolmentCodeError, HomeInUseError; the home is as it was then
 */
export async function enrolHome(
  config: AgentConfig,
  code: string,
  options: { readonly json?: boolean },
  output: Output,
): Promise<number> {
  makeFolder(config.home);
  const lock = await lockAgentHome(config.home);
  try {
    const isKnown = knownAgentId(config.home) !== undefined;
    const purpose = isKnown ? EnrolmentPurpose.NEW_KEY : EnrolmentPurpose.NEW_AGENT;
    const enrolled = await redeemCode(config, code, purpose);
    completeHome(config.home, enrolled);
    const { agentId, entityId, terminals } = enrolled;
    noteCommand(config, 'enrol', { agentId, entityId });
    output.out(
      options.json
        ? JSON.stringify({ agentId, entityId, terminals })
        : `${config.home} is agent ${agentId} of entity ${entityId}, terminals ${terminals.join(', ')}; ${isKnown ? 'the new key counts from the next start on' : 'start it: tillbridge-agent run'}`,
    );
  } finally {
    await lock.release();
  }
  return EXIT.ok;
}

/**
 * Uses a code for a purpose, with the home's pending key. The caller holds the home's lock.
 * @throws CommandError, IdentityError, EnrolmentError, EnrolmentCodeError
 */
export function redeemCode(
  config: AgentConfig,
  text: string,
  purpose: EnrolmentPurpose,
  agentId: string = knownAgentId(config.home) ?? '',
): Promise<Enrolled> {
  const code = parseEnrolmentCode(text);
  if (code.purpose !== purpose) throw new CommandError(EXIT.usage, `this code is for: ${USES[code.purpose]}`);
  return enrol({
    code,
    agentId,
    privateKey: pendingKey(config.home),
    connect: websocketConnector(config.bridgeUrl, () => ENROLMENT_TLS),
    timeoutMs: ENROLMENT_TIMEOUT_MS,
    clock: systemClock,
    random: systemRandom,
  });
}

/** Gives a home the identity and the pin set of an enrolment; the key comes last. */
export function completeHome(home: string, { agentId, pins }: Enrolled): void {
  writePins(home, pins);
  completeIdentity(home, agentId);
}
