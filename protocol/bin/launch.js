import { existsSync } from 'node:fs';

/** Starts a program, or says how to build it. Its launcher, not its built file, is what npm links: at the install nothing is built yet. */
export async function launch(program, main) {
  if (existsSync(main)) return void (await import(main.href));
  process.stderr.write(
    `${program} is not built yet: run npm start, or npm run build, in the folder of the repository\n`,
  );
  process.exitCode = 2;
}
