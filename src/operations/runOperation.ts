import type { z } from 'zod';
import { Fault } from '../platform/fault.js';
import type { Invocation, Operation, Reach, ServicesByReach } from './operation.js';

/**
 * Checks the input, runs the operation and checks the output: the only way a door runs one.
 * @throws Fault `invalid_input` when the input is not of the operation's form
 */
export async function runOperation<R extends Reach, Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<R, Input, Output>,
  services: ServicesByReach[R],
  input: unknown,
  invocation: Invocation,
): Promise<z.output<Output>> {
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) throw invalidInput(parsed.error);
  return operation.output.parse(await operation.run(services, parsed.data, invocation));
}

function invalidInput(error: z.ZodError): Fault {
  const problems = error.issues.map((issue) => `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`);
  return new Fault('usage', 'invalid_input', `Bad input: ${problems.join('; ')}.`, { problems });
}
