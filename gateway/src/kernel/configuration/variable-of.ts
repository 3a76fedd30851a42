/** The variable of a key in a section: `GATEWAY_THROTTLE_FOLLOW_UPS`. */
export function variableOf(section: string, key: string): string {
  return `GATEWAY_${section}_${key.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}
