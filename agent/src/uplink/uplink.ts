import type { Envelope, Outcome, StatusAnswer } from '@tillbridge/wire/bridge/messages.js';

/** State of the link to the gateway: `up` means proven and welcomed, nothing less. */
export type UplinkState = 'down' | 'connecting' | 'up';

/** Messages outside the streams: never queued, never sent twice. */
export type LiveEnvelope = Envelope<'authorizationRequest' | 'statusRequest'>;

/** Ends a subscription; calling it twice does nothing. */
export type Unsubscribe = () => void;

/**
 * The agent's side of the bridge, as the sale sees it.
 * Live messages are handed over here; stream messages are pulled by the uplink from its `ForwardQueue`.
 */
export interface Uplink {
  readonly state: UplinkState;
  /**
   * Hands a live message to the socket, or not at all.
   * `false`: no byte of it was handed over and none ever will be (link down, no live credit). `true`: it may arrive.
   * The message is encoded before the call returns, so that its PIN block may be wiped at once. Never throws.
   */
  sendLive(envelope: LiveEnvelope): boolean;
  /** Connects now where the link waits for its next attempt. */
  nudge(): void;
  /** The gateway answered an authorization. May come twice, late, or for a message of an earlier boot. */
  onAnswer(listener: (messageId: string, outcome: Outcome) => void): Unsubscribe;
  /** The gateway answered a status request; `answer.messageId` is the message of the request. */
  onStatus(listener: (answer: StatusAnswer) => void): Unsubscribe;
  /** The link's state changed. */
  onState(listener: (state: UplinkState) => void): Unsubscribe;
  /** The gateway went silent within a session, or answers again; absent: it is not watched. */
  onSilent?(listener: (silent: boolean) => void): Unsubscribe;
  /** A time received from the gateway, milliseconds since 1970 (P6: ages are measured against the highest). */
  onGatewayTime(listener: (timeMs: number) => void): Unsubscribe;
}
