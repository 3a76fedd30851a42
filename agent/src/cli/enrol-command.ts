import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { type EnrolmentCode, parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import type { AgentConfig } from '../config/config.js';
import { lockAgentHome } from '../home/home-files.js';
import { noteCommand } from '../log/note-command.js';
import type { ConnectBridge } from '../uplink/bridge-socket.js';
import { checkCertificate } from '../uplink/check-certificate.js';
import { connectionFault, faultText } from '../uplink/connection-fault.js';
import { type Enrolled, enrol } from '../uplink/enrol.js';
import { recordAddress } from '../uplink/gateway-address.js';
import { writePins } from '../uplink/gateway-trust.js';
import { completeIdentity, knownAgentId, pendingKey } from '../uplink/identity.js';
import { ENROLMENT_TLS, NO_PINS } from '../uplink/tls-trust.js';
import { websocketConnector } from '../uplink/websocket-connector.js';
import { CommandError, EXIT } from './exit-code.js';
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

/** An agent as its gateway made it, and where it did. */
export interface EnrolledAt extends Enrolled {
  readonly bridgeUrl: string;
}

/**
 * Uses a code for a purpose, with the home's pending key, at the configured address, else at that of the code. The certificate of the
 * gateway is checked before the code is used, and against what the gateway answers before this resolves: the agent could not connect
 * later. The caller holds the home's lock.
 * @throws CommandError, IdentityError, EnrolmentError, EnrolmentCodeError
 */
export async function redeemCode(
  config: AgentConfig,
  text: string,
  purpose: EnrolmentPurpose,
  agentId: string = knownAgentId(config.home) ?? '',
): Promise<EnrolledAt> {
  const code = parseEnrolmentCode(text);
  if (code.purpose !== purpose) throw new CommandError(EXIT.usage, `this code is for: ${USES[code.purpose]}`);
  const bridgeUrl = enrolmentAddress(config, code);
  await checkCertificate(bridgeUrl, NO_PINS, 'before enrolment', systemClock);
  const enrolled = await enrol({
    code,
    agentId,
    privateKey: pendingKey(config.home),
    connect: inWords(
      websocketConnector(bridgeUrl, () => ENROLMENT_TLS),
      bridgeUrl,
    ),
    timeoutMs: ENROLMENT_TIMEOUT_MS,
    clock: systemClock,
    random: systemRandom,
  });
  await checkCertificate(bridgeUrl, enrolled.pins, 'after enrolment', systemClock);
  return { ...enrolled, bridgeUrl };
}

function enrolmentAddress({ bridgeUrl, mode, takesAddressOfCode }: AgentConfig, code: EnrolmentCode): string {
  const address = takesAddressOfCode ? (code.bridgeUrl ?? bridgeUrl) : bridgeUrl;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'wss:' || (mode === 'test' && isLoopbackHost(hostname))) return address;
  throw new CommandError(
    EXIT.usage,
    `the gateway is reached at ${address}: a wss: address is needed, in test mode ws: on loopback too; set gateway.bridgeUrl, or have a code issued with --bridge-url`,
  );
}

/** A connector whose failures are texts for a person. */
function inWords(connect: ConnectBridge, bridgeUrl: string): ConnectBridge {
  return (listener) =>
    connect({
      onOpen: (channel) => listener.onOpen(channel),
      onMessage: (bytes) => listener.onMessage(bytes),
      onViolation: (detail) => listener.onViolation(detail),
      onClose: (detail) => {
        const fault = connectionFault(detail, bridgeUrl);
        listener.onClose(fault ? faultText(fault) : detail);
      },
    });
}

/** Gives a home the address, the identity and the pin set of an enrolment; the key comes last. */
export function completeHome(home: string, { agentId, pins, bridgeUrl }: EnrolledAt): void {
  recordAddress(home, bridgeUrl);
  writePins(home, pins);
  completeIdentity(home, agentId);
}
