// The files under `packages` name only what exists: settings, commands, the port, the addresses of the health checks; and nothing in
// them runs as root.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readEnvironment } from '#processes/environment/environment.ts';
import { liveInstallation } from '#tests/support/live-installation.ts';
import { ROUTES } from '#contract/http/route.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PACKAGES = path.join(ROOT, 'packages');
const read = (file: string) => readFileSync(path.join(PACKAGES, file), 'utf8');
const filesOf = (folder: string, ending: string) =>
  readdirSync(path.join(PACKAGES, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

const SETTINGS = new Set(
  [...readFileSync(path.join(ROOT, '.env.example'), 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(
    ([, name]) => name!,
  ),
);
const { scripts: COMMANDS, version: VERSION } = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
) as { scripts: Record<string, string>; version: string };

/** Of other programs: Node, and PostgreSQL's image with the script that makes its users. */
const OTHERS = ['NODE_USE_SYSTEM_CA', 'POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'BELLWETHER_PASSWORD'];

type Container = {
  image: string;
  args: string[];
  ports?: { containerPort: number }[];
  env?: { name: string }[];
  readinessProbe?: { httpGet: { path: string } };
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities: { drop: string[] };
  };
};
type Resource = {
  kind: string;
  metadata: { name?: string };
  data?: Record<string, string>;
  spec: {
    template: {
      spec: { containers: Container[]; securityContext: { runAsNonRoot: boolean; runAsUser: number } };
    };
  };
};
type Service = {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  user?: string;
  privileged?: boolean;
};

const documentsOf = (text: string) =>
  parseAllDocuments(text, { merge: true }).map((one) => one.toJS() as unknown);
const resources = filesOf('kubernetes', '.yaml').flatMap((file) => documentsOf(read(file)) as Resource[]);
const pods = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
const [compose] = documentsOf(read('compose/compose.yaml')) as [{ services: Record<string, Service> }];
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'bellwether');
const units = filesOf('systemd', '.service').map((file) => ({ file, text: read(file) }));
const image = read('Containerfile');

const valuesOf = (text: string, directive: string) =>
  [...text.matchAll(new RegExp(`^${directive}=?\\s*(.+)$`, 'gm'))].map(([, value]) => value!);
const namesOf = (assignments: string) =>
  [...assignments.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]*)=/g)].map(([, name]) => name!);
const unknown = (names: readonly string[]) =>
  names.filter((name) => !SETTINGS.has(name) && !OTHERS.includes(name));

test('each setting exists', () => {
  const named = [
    ...valuesOf(image, 'ENV').flatMap(namesOf),
    ...services.flatMap(([, { environment }]) => Object.keys(environment)),
    ...resources.flatMap(({ data }) => Object.keys(data ?? {})),
    ...units.flatMap(({ text }) => valuesOf(text, 'Environment').flatMap(namesOf)),
    ...['settings.example.env', 'compose/passwords.example.env'].flatMap((file) => namesOf(read(file))),
  ];
  expect(named.length).toBeGreaterThan(40);
  expect(unknown(named)).toEqual([]);
  expect(unknown(['PORT', 'PROT'])).toEqual(['PROT']);
});

test('each command exists, and every role has one in each package', () => {
  const roles = ['api', 'catalogue', 'trader', 'worker'];
  expect(roles.filter((role) => COMMANDS[role] !== `node scripts/run.mjs ${role}`)).toEqual([]);
  expect(ours.map(([, { command }]) => command?.join(' ')).toSorted()).toEqual(roles);
  expect(pods.map(({ spec }) => spec.template.spec.containers[0]?.args.join(' ')).toSorted()).toEqual(roles);
  const starts = units.flatMap(({ text }) => valuesOf(text, 'ExecStart'));
  expect(starts.toSorted()).toEqual(
    roles.map((role) => `/opt/bellwether/node_modules/.bin/node scripts/run.mjs ${role}`),
  );
  expect(valuesOf(image, 'ENTRYPOINT')).toEqual(['["node_modules/.bin/node", "scripts/run.mjs"]']);
  const built = [...image.matchAll(/node scripts\/run\.mjs (\w+)/g)].map(([, word]) => word!);
  expect(built.filter((word) => !(word in COMMANDS))).toEqual([]);
});

test('port and health addresses are those of the product', () => {
  const port = /^PORT=(\d+)$/m.exec(readFileSync(path.join(ROOT, '.env.example'), 'utf8'))?.[1];
  expect(valuesOf(image, 'EXPOSE')).toEqual([port]);
  expect(image).toMatch(new RegExp(`^ENV .*\\bPORT=${port}\\b`, 'm'));
  expect(compose.services['api']?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  const api = pods.find(({ metadata }) => metadata.name === 'api')?.spec.template.spec.containers[0];
  expect(api?.ports).toMatchObject([{ containerPort: Number(port) }]);
  expect(api?.readinessProbe?.httpGet.path).toBe(ROUTES.getReadiness.path);
  expect(/HEALTHCHECK[^]*?(\/api\/[\w/]*)/.exec(image)?.[1]).toBe(ROUTES.getHealth.path);
});

test('nothing runs as root, and the root file system is read-only', () => {
  const [user] = valuesOf(image, 'USER');
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  for (const { spec } of pods) {
    const { securityContext, containers } = spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user?.split(':')[0]) });
    for (const container of containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  }
  for (const [, service] of ours) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect([service.user, service.privileged]).toEqual([undefined, undefined]);
  }
  for (const { text } of units) {
    expect(valuesOf(text, 'User')).toEqual(['bellwether']);
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
      expect(text.split('\n')).toContain(line);
  }
});

test('each folder that a package writes to is the data folder of the image', () => {
  const [folder] = valuesOf(image, 'VOLUME');
  expect(image).toContain(`DATA_DIR=${folder} `);
  for (const { file, text } of units)
    expect(valuesOf(text, 'Environment').join(' '), file).toContain(`DATA_DIR=${folder} `);
});

test('manifests are of the version at hand', () => {
  const [kustomization] = documentsOf(read('kubernetes/kustomization.yaml')) as [
    { resources: string[]; images: { newName: string; newTag: string }[] },
  ];
  const { newName, newTag } = kustomization.images[0]!;
  expect(newTag).toBe(VERSION);
  expect(read('kubernetes/catalogue.yaml')).toContain(`image: ${newName}:${VERSION}\n`);
  const apart = ['kustomization.yaml', 'catalogue.yaml'];
  expect(kustomization.resources.toSorted()).toEqual(
    filesOf('kubernetes', '.yaml')
      .map((file) => path.basename(file))
      .filter((name) => !apart.includes(name)),
  );
});

test('the example of settings, filled in, is a start that each package accepts', () => {
  const pairs = [...read('settings.example.env').matchAll(/^([A-Z_]+)=(.*)$/gm)];
  const typed = liveInstallation('unused', 'smtps://mail.steadyhand.test');
  const addresses = {
    BROKER_AUTHORIZE_URL: 'https://broker.test/authorize',
    BROKER_TOKEN_URL: 'https://broker.test/token',
  };
  const filled = Object.fromEntries(
    pairs.map(([, name, value]) => [
      name!,
      value || { ...typed, ...addresses }[name!] || `typed in for ${name}`,
    ]),
  );
  const inImage = { ...filled, DATA_DIR: valuesOf(image, 'VOLUME')[0]! };
  const withPasswords = (text: string) => text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, 'x9$1');
  const composed = ours.map(([, { environment }]) => ({
    ...inImage,
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, withPasswords(value)])),
  }));
  const remote = 'postgres://bellwether:x9y8@database.test/bellwether';
  const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const clustered = (query: string) => ({ ...inImage, ...settings, DATABASE_URL: `${remote}${query}` });
  const onHost = {
    ...inImage,
    ...Object.fromEntries(
      valuesOf(units[0]!.text, 'Environment').flatMap((line) => line.split(' ').map((one) => one.split('='))),
    ),
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
  };
  for (const variables of [...composed, clustered('?sslmode=verify-full'), onHost])
    expect(readEnvironment(variables, 'installation').installation).toBe('provider');
  expect(() => readEnvironment(clustered(''), 'installation')).toThrow('without TLS');
});
