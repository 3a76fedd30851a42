import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/** A field of a message of the bridge that is no message itself. */
export interface WireField {
  /** Body of the envelope, such as `authorizationRequest`; empty for a field of the envelope. */
  readonly body: string;
  /** Where it stands in the body, such as `pos.sred.ksn`; `[]` stands behind a list. */
  readonly path: string;
  /** Message that declares it, and its name there: `Enciphered.ksn`. */
  readonly name: string;
  /** Type of `bridge.proto`, such as `string`. */
  readonly type: string;
}

const PROTO = new URL('../../../bridge.proto', import.meta.url);

/** Every field of every message that `bridge.proto` puts into an envelope, and the names of the bodies. */
export function wireFields(): { readonly bodies: readonly string[]; readonly fields: readonly WireField[] } {
  const root = protobuf.parse(readFileSync(PROTO, 'utf8')).root.resolveAll();
  const envelope = root.lookupType('tillbridge.v1.Envelope');
  const bodies = envelope.oneofsArray.flatMap((choice) => choice.fieldsArray.map(({ name }) => name));
  const fields = envelope.fieldsArray.flatMap((field) =>
    bodies.includes(field.name) ? below(field, field.name, '') : below(field, '', ''),
  );
  return { bodies, fields };
}

function below(field: protobuf.Field, body: string, path: string): WireField[] {
  const { resolvedType, parent, name, type, repeated } = field;
  const isBody = name === body && path === '';
  const here = isBody ? '' : `${path === '' ? '' : `${path}.`}${name}${repeated ? '[]' : ''}`;
  if (resolvedType instanceof protobuf.Type)
    return resolvedType.fieldsArray.flatMap((inner) => below(inner, body, here));
  return [{ body, path: here, name: `${parent?.name}.${name}`, type }];
}
