import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../drivers/core/driver.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** A device's clock may differ from the computer's by this much. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** A battery below this gives a finding. */
const LOW_BATTERY_PERCENT = 20;

/** Who answered. */
export function identityFinding({ maker, model, serial, firmware }: TerminalIdentity): Finding {
  return ok(
    `${[maker, model].filter(Boolean).join(' ')}, serial ${serial}, firmware ${firmware || 'not reported'}`,
  );
}

function keyFinding(what: string, condition: KeyCondition, needed: boolean): Finding {
  switch (condition) {
    case 'loaded':
      return ok(`the ${what} key is loaded`);
    case 'unknown':
      return warning(`the terminal does not tell whether its ${what} key is loaded`);
    case 'exhausted':
      return problem(`the ${what} key is used up`, 'Have the terminal injected with a new initial key.');
    case 'missing':
      return (needed ? problem : warning)(
        `the ${what} key is missing`,
        'Have the terminal injected at a key injection facility.',
      );
  }
}

/** Keys, tampering, battery and clock. @param nowMs the computer's clock */
export function conditionFindings(condition: TerminalCondition, nowMs: number): readonly Finding[] {
  const { keys, tampered, batteryPercent, localTime } = condition;
  return [
    ...(tampered === true
      ? [
          problem(
            'the terminal found itself opened and erased its keys',
            'Take it out of use and send it to its maker.',
          ),
        ]
      : []),
    keyFinding('data', keys.data, true),
    keyFinding('PIN', keys.pin, false),
    ...(batteryPercent === undefined ? [] : [batteryFinding(batteryPercent)]),
    ...(localTime === undefined ? [] : [clockFinding(localTime, nowMs)]),
  ];
}

function batteryFinding(percent: number): Finding {
  if (percent >= LOW_BATTERY_PERCENT) return ok(`battery at ${percent} %`);
  return warning(`battery at ${percent} %`, 'Put the terminal on its charger.');
}

/** The device's clock has no zone: it is taken for local time or UTC, whichever is nearer. */
function clockFinding(localTime: string, nowMs: number): Finding {
  const readings = [Date.parse(localTime), Date.parse(`${localTime}Z`)].filter((time) => !Number.isNaN(time));
  const offMs = Math.min(...readings.map((time) => Math.abs(time - nowMs)));
  if (offMs <= CLOCK_TOLERANCE_MS) return ok(`its clock is right (${localTime})`);
  return warning(`its clock shows ${localTime}, which is not the time`, 'Set the clock of the terminal.');
}
