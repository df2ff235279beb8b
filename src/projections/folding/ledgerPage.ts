import type { AnyEvent, Catalogue } from '../../events/catalogue/catalogue.js';
import { comparePositions, type Position, type RecordedEvent } from '../../events/envelope.js';

/** Some events in a row, decoded at most once however many views fold them. */
export class LedgerPage {
  readonly #decoded: AnyEvent[] = [];

  constructor(
    readonly events: readonly RecordedEvent[],
    private readonly catalogue: Catalogue,
  ) {}

  /** @throws Fault `unknown_event_version`; any error when the data is no JSON */
  decoded(index: number): AnyEvent {
    const known = this.#decoded[index];
    if (known !== undefined) return known;
    const event = this.events[index];
    if (event === undefined) throw new RangeError(`page of ${this.events.length} events has no event ${index}`);
    return (this.#decoded[index] = this.catalogue.decode(event));
  }

  /** The beginning of the page, up to and including `position`. */
  upTo(position: Position): LedgerPage {
    return new LedgerPage(
      this.events.filter((event) => comparePositions(event.position, position) <= 0),
      this.catalogue,
    );
  }
}
