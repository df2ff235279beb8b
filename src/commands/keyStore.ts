/** Keys that seal personal values, as the command handler needs them. */
export interface KeyStore {
  /**
   * The key of a subject; made and durable before the promise resolves when there is none yet.
   * @returns 32 bytes, or null when the subject was erased: nothing may be sealed for it any more
   */
  keyOf(subject: string): Promise<Uint8Array | null>;
}
