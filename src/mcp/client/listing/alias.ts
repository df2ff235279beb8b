import { hash } from 'node:crypto';

/** Names that every model provider takes. */
const accepted = /^[a-zA-Z0-9_-]{1,64}$/;

/** Hex digits of the name's digest in an alias. */
const digits = 16;

/**
 * The name a model sees for a remote tool: the tool's own, or, when a provider would refuse that, a stable alias made of
 * its readable part and a digest of the whole name, so that different names get different aliases.
 */
export function modelName(remoteName: string): string {
  if (accepted.test(remoteName)) return remoteName;
  const readable = remoteName.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64 - digits - 1);
  return `${readable === '' ? '_' : readable}_${hash('sha256', remoteName).slice(0, digits)}`;
}
