import { outputOf, startProgram, type Finished } from '../cli/program.js';

/** A sign-in that was begun by a process of its own. */
export interface SignInProcess {
  readonly link: string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Finished>;
}

/** Runs `mcp sign-in` in a process until it tells its link. */
export async function beginInProcess(data: string, name: string, env: Readonly<Record<string, string>>): Promise<SignInProcess> {
  const child = startProgram(data, ['mcp', 'sign-in', name], { env });
  const ended = outputOf(child);
  const link = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stderr?.on('data', (text: string) => {
      told += text;
      const found = /^ {2}(http:\/\/\S+\/oauth\/start\/\S+)$/m.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ code, stderr }) => reject(new Error(`it ended with ${code} before it told a link: ${stderr}`)));
  });
  return { link, ended, kill: (signal) => void child.kill(signal) };
}
