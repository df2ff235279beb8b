import type { CommandHandler } from '../../../src/commands/commandHandler.js';
import type { SealerParts } from '../../../src/reactors/sealing/sealer.js';
import { growTree } from '../../../src/reactors/sealing/growTree.js';
import type { SealedLedger } from './sealedLedger.js';

/** Thrown where a process would have died. */
export class Died extends Error {}

/** Parts of a sealer that "dies" before or after each of its steps that leave something behind. */
export interface DyingParts {
  readonly parts: Partial<SealerParts>;
  /** The steps done so far, by name. */
  readonly steps: readonly string[];
}

/**
 * @param at number of the moment to die at, from 0: before the first step, after it, before the second, and so on
 */
export function dyingAt(ledger: SealedLedger, at: number): DyingParts {
  const steps: string[] = [];
  let moment = 0;
  const mark = (): void => {
    if (moment === at) throw new Died(`after ${steps.join(', ')}`);
    moment += 1;
  };
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    mark();
    const result = await work();
    steps.push(name);
    mark();
    return result;
  };
  const { files, secrets, store } = ledger;
  // A handler of its own, as a new process has.
  const handler: CommandHandler = ledger.newHandler();
  return {
    steps,
    parts: {
      handler: { ...handler, execute: (...args) => step('record', () => handler.execute(...args)) },
      secrets: { getSecret: (...args) => secrets.getSecret(...args), putSecret: (...args) => step('keep key', () => secrets.putSecret(...args)) },
      grow: (growth) => step('write tiles', () => growTree((after, limit) => store.readAll(after, limit), growth)),
      files: {
        ...files,
        addToLog: (checkpoint) => step('log checkpoint', () => files.addToLog(checkpoint)),
        publish: (epoch, checkpoint) => step('publish checkpoint', () => files.publish(epoch, checkpoint)),
      },
    },
  };
}
