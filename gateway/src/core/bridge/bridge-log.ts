/** The part of the gateway's logger that the bridge uses. */
export interface BridgeLog {
  info(about: object, text: string): void;
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}
