/** Where browsers reach the pages of this program. */
export interface SignInDoor {
  /** E.g. `http://127.0.0.1:7411`, or the public URL. */
  readonly origin: string;
  /** Where what we say of ourselves lies for authorization servers; null when they cannot reach us. */
  readonly metadataDocument: string | null;
  /** Whether it stays open when nobody waits for a sign-in any more. */
  readonly stays: boolean;
}
