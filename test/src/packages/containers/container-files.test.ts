import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@tillbridge/gateway/app/configuration/config.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROGRAMS } from '../targets.js';
import { CHART, containerEntries, containerfileOf } from './container-files.js';
import { healthCommand, instructionsOf, lastOf, wordsOf } from './containerfile.js';
import { renderTemplate, TemplateError } from './helm-template.js';

describe.each(PROGRAMS)('the Containerfile of $name', (program) => {
  const instructions = instructionsOf(readFileSync(containerfileOf(program), 'utf8'));
  const of = (name: string) => lastOf(instructions, name);

  it('runs the program of the package as an ordinary user, with a health check', () => {
    expect(of('USER')?.text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const entry = of('ENTRYPOINT');
    expect(entry && wordsOf(entry)).toEqual([`/opt/${program.command}/bin/${program.command}`]);
    expect(healthCommand(instructions)[0]).toBe(`/opt/${program.command}/runtime/node`);
  });

  it('writes to its home alone, which is a volume', () => {
    const volume = of('VOLUME');
    const [home = ''] = volume ? wordsOf(volume) : [];
    expect(of('ENV')?.text).toMatch(new RegExp(`^[A-Z]+_HOME=${home} [A-Z]+_LOG=stdout$`));
    expect(of('WORKDIR')?.text).toBe(home);
  });

  it('takes nothing from a network and nothing but the package', () => {
    const copies = instructions.filter(({ name }) => name === 'COPY').map(({ text }) => text);
    expect(copies).toEqual([
      `tillbridge-${program.name}-*-linux-*.tar.gz /archives/`,
      `--from=unpacked /opt/${program.command} /opt/${program.command}`,
    ]);
  });
});

it('a wrong line of a Containerfile is named', () => {
  expect(() => instructionsOf('FROM x\nRNU y')).toThrow('line 2');
  expect(() => instructionsOf('FROM x\nCMD [y]')).toThrow('line 2: CMD needs a list of words');
  expect(() => instructionsOf('RUN x')).toThrow('FROM has to come first');
});

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly template?: {
      readonly spec: {
        readonly securityContext: object;
        readonly initContainers: readonly Container[];
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

describe('the chart', () => {
  const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Readonly<Record<string, unknown>>;
  const templates = readdirSync(join(CHART, 'templates')).filter((name) => name.endsWith('.yaml'));
  const rendered = (changed: object = {}): readonly Manifest[] =>
    templates.flatMap((name) => {
      const source = readFileSync(join(CHART, 'templates', name), 'utf8');
      const scope = { Values: { ...values, ...changed }, Release: { Name: 'pay' } };
      const manifest = parse(renderTemplate(source, scope)) as Manifest | null;
      return manifest ? [manifest] : [];
    });

  it('is of the version of the package', () => {
    const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>;
    expect(chart).toMatchObject({ apiVersion: 'v2', appVersion: '0.1.0', name: 'tillbridge-gateway' });
  });

  it('gives each node a configuration that the gateway takes, as an ordinary user with a read-only root', () => {
    const pod = rendered().find(({ kind }) => kind === 'StatefulSet')?.spec.template?.spec;
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    for (const { env, securityContext } of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]) {
      expect(securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      const variables = Object.fromEntries(
        env.map(({ name, value = 'postgres://u:p@h:5432/d' }) => [name, value]),
      );
      expect(loadConfig(undefined, variables)).toMatchObject({
        transport: { mode: 'live' },
        host: '0.0.0.0',
      });
    }
  });

  it('mounts what it declares', () => {
    const set = rendered().find(({ kind }) => kind === 'StatefulSet')?.spec;
    const pod = set?.template?.spec;
    const named = [
      ...(pod?.volumes ?? []).map(({ name }) => name),
      ...(set?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    ].sort();
    expect(
      pod?.containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name)).sort(),
    ).toEqual(named);
  });

  it('follows its values: one node has no disruption budget, further variables reach the gateway', () => {
    expect(rendered({ replicas: 1 }).map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
    expect(rendered().map(({ kind }) => kind)).toContain('PodDisruptionBudget');
    const text = JSON.stringify(rendered({ environment: { GATEWAY_LOG_LEVEL: 'warn' } }));
    expect(text).toContain('{"name":"GATEWAY_LOG_LEVEL","value":"warn"}');
  });

  it('names a value that is not there, and a form that is not known', () => {
    const scope = { Values: values, Release: { Name: 'pay' } };
    expect(() => renderTemplate('a: {{ .Values.replica }}', scope)).toThrow(TemplateError);
    expect(() => renderTemplate('a: {{ .Values.mode | upper }}', scope)).toThrow(TemplateError);
    expect(() => renderTemplate('{{- range $a, $b := .Values.environment }}', scope)).toThrow('has no end');
  });
});

it('the archive has what the pages name', () => {
  const paths = containerEntries(PROGRAMS).map(({ path }) => path);
  for (const { name } of PROGRAMS) expect(paths).toContain(`${name}/Containerfile`);
  expect(paths).toEqual(expect.arrayContaining(['compose/compose.yaml', 'compose/haproxy.cfg']));
  expect(paths).toContain('helm/tillbridge-gateway/templates/statefulset.yaml');
});
