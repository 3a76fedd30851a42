import type { ShownCertificate } from './gateway-answer.js';

/** What stands between agent and gateway, for a person. */
export interface ConnectionFault {
  /** What is wrong. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Nothing is wrong but that the authority of a certificate is not known here. */
  readonly isUnknownAuthority?: true;
}

/** A fault as one text. */
export function faultText({ text, remedy }: ConnectionFault): string {
  return `${text}. ${remedy}`;
}

/** The parts of an address as texts name them. */
interface Place {
  readonly host: string;
  /** Host and port. */
  readonly place: string;
  readonly path: string;
  /** A status of HTTP in the detail; empty where there is none. */
  readonly status: string;
}

interface Row {
  readonly pattern: RegExp;
  readonly fault: (place: Place) => ConnectionFault;
}

/** Why a socket of the bridge did not open, by the text of the operating system, of TLS or of the WebSocket. */
const ROWS: readonly Row[] = [
  {
    pattern: /ECONNREFUSED/,
    fault: ({ place }) => ({
      text: `no program listens at ${place}`,
      remedy: 'Start the gateway, or correct the port of the address.',
    }),
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN/,
    fault: ({ host }) => ({
      text: `the name ${host} is not known here`,
      remedy: 'Correct the address, or the name server of this machine.',
    }),
  },
  {
    pattern: /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|no answer within/,
    fault: ({ place }) => ({
      text: `${place} cannot be reached`,
      remedy: 'Check the network, and that a firewall lets this machine connect to that port.',
    }),
  },
  {
    pattern: /server response: (400|404|405|426)/,
    fault: ({ place, path, status }) => ({
      text: `${place} answers, and has no bridge at ${path} (${status})`,
      remedy: 'Correct the path of the address: a gateway has its bridge at /bridge.',
    }),
  },
  {
    pattern: /server response: 2\d\d/,
    fault: ({ place, path, status }) => ({
      text: `${place} answers ${path} with a page (${status}): it is no bridge of a gateway`,
      remedy: 'Correct host and path of the address, or have the proxy there pass WebSockets on.',
    }),
  },
  {
    pattern: /server response: 3\d\d/,
    fault: ({ place, status }) => ({
      text: `${place} sends its callers to another address (${status})`,
      remedy: 'Use the address of the gateway itself, with wss:.',
    }),
  },
  {
    pattern: /server response: 50[234]/,
    fault: ({ place, status }) => ({
      text: `a proxy answers at ${place}, and the gateway behind it does not (${status})`,
      remedy: 'Start the gateway, or correct where the proxy looks for it.',
    }),
  },
  {
    pattern: /server response: (\d\d\d)/,
    fault: ({ place, status }) => ({
      text: `${place} refuses the connection (${status})`,
      remedy: 'See the log of the gateway, or of the proxy in front of it.',
    }),
  },
  {
    pattern: /EPROTO|wrong version number|packet length too long|record layer failure/i,
    fault: ({ place }) => ({
      text: `${place} does not speak TLS`,
      remedy: 'Correct the port: wss: needs the one that has TLS.',
    }),
  },
  {
    pattern: /socket hang up|ECONNRESET|Parse Error/,
    fault: ({ place }) => ({
      text: `${place} closes the connection without an answer`,
      remedy: 'Correct address and port: it may be another program, or a port that wants TLS (wss:).',
    }),
  },
];

/** What a failed connection means; undefined where its detail is not known: it stands for itself. */
export function connectionFault(detail: string, bridgeUrl: string): ConnectionFault | undefined {
  const { hostname, port, pathname, protocol } = new URL(bridgeUrl);
  const place = `${hostname}:${port || (protocol === 'wss:' ? 443 : 80)}`;
  const [status = ''] = /(?<=server response: )\d+/.exec(detail) ?? [];
  const row = ROWS.find(({ pattern }) => pattern.test(detail));
  return row?.fault({ host: hostname, place, path: pathname, status });
}

const UNKNOWN_AUTHORITY = /SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY/;

/**
 * Why a gateway's certificate is not accepted.
 * @param fault as {@link GatewayAnswer} has it
 * @param nowMs this machine's clock
 */
export function certificateFault(
  fault: string,
  certificate: ShownCertificate | undefined,
  bridgeUrl: string,
  nowMs: number,
): ConnectionFault {
  const { hostname } = new URL(bridgeUrl);
  const { issuer = 'an unknown authority', validFromMs = 0, validToMs = nowMs } = certificate ?? {};
  const now = timeText(nowMs);
  if (/NOT_YET_VALID/.test(fault) || validFromMs > nowMs)
    return {
      text: `the certificate of ${hostname} is valid from ${timeText(validFromMs)} on, and this machine's clock shows ${now}`,
      remedy: 'Set the clock of this machine.',
    };
  if (/EXPIRED/.test(fault) || validToMs < nowMs)
    return {
      text: `the certificate of ${hostname} has expired at ${timeText(validToMs)}; this machine's clock shows ${now}`,
      remedy: 'Set the clock if it is wrong; else renew the certificate at the gateway or its proxy.',
    };
  if (UNKNOWN_AUTHORITY.test(fault))
    return {
      text: `the certificate of ${hostname} comes from ${issuer}, an authority that this machine does not know`,
      remedy:
        'Set bridge.authorityFile of the gateway to the certificate of that authority, and start the gateway again.',
      isUnknownAuthority: true,
    };
  if (/ALTNAME/.test(fault))
    return {
      text: `the certificate that answers is not for ${hostname}`,
      remedy: 'Use a name that stands in the certificate, or give the gateway one for this name.',
    };
  return {
    text: `the certificate of ${hostname} is not accepted: ${fault}`,
    remedy: 'Give the gateway a certificate that fits, or add its key to bridge.tlsPins.',
  };
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
