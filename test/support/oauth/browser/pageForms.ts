/** Something in a form that can be sent with it. */
interface Control {
  readonly kind: 'text' | 'choice' | 'button';
  readonly name: string;
  readonly value: string;
  /** Whether it is sent as the page stands; a button is when it is pressed. */
  readonly chosen: boolean;
}

/** A form of a page. */
export interface PageForm {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly controls: readonly Control[];
}

/** What a person enters and presses, by name; several values for boxes to tick. Hidden fields too: browsers have tools for that. */
export type Entries = Readonly<Record<string, string | readonly string[]>>;

const tag = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/gi;
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** The forms of an HTML page, in order. */
export function readForms(html: string): readonly PageForm[] {
  const forms: (PageForm & { readonly controls: Control[] })[] = [];
  let within = false;
  for (const { 0: whole, 1: slash, 2: name = '', 3: text = '', index } of html.matchAll(tag)) {
    const element = name.toLowerCase();
    const attributes = readAttributes(text);
    if (element === 'form') {
      within = slash === '';
      if (within) forms.push(newForm(attributes));
    } else if (within && slash === '' && !attributes.has('disabled')) {
      const control = readControl(element, attributes, html.slice(index + whole.length));
      if (control !== null) forms.at(-1)?.controls.push(control);
    }
  }
  return forms;
}

/** What a form sends when it is filled in so. Whatever a page does not offer cannot be entered. */
export function filledIn(form: PageForm, entries: Entries): URLSearchParams {
  const sent = new URLSearchParams();
  const pressed = pressedButton(form, entries);
  for (const control of form.controls.filter(({ name }) => name !== '')) {
    const entered = entries[control.name];
    const values = entered === undefined ? null : [entered].flat();
    const isSent = control.kind === 'choice' ? (values?.includes(control.value) ?? control.chosen) : control.kind === 'text' || control === pressed;
    if (isSent) sent.append(control.name, control.kind === 'text' ? (values?.[0] ?? control.value) : control.value);
  }
  for (const [name, entered] of Object.entries(entries)) mustBeOffered(form, name, [entered].flat());
  return sent;
}

function pressedButton({ controls }: PageForm, entries: Entries): Control | undefined {
  const buttons = controls.filter(({ kind }) => kind === 'button');
  return buttons.find(({ name, value }) => entries[name] === value) ?? buttons[0];
}

function mustBeOffered({ controls }: PageForm, name: string, values: readonly string[]): void {
  const named = controls.filter((control) => control.name === name);
  const offered = named.some(({ kind }) => kind === 'text') || (named.length > 0 && values.every((value) => named.some((control) => control.value === value)));
  if (!offered) throw new Error(`The form has no ${name} to be ${values.join(' and ')}.`);
}

function newForm(attributes: ReadonlyMap<string, string>): PageForm & { readonly controls: Control[] } {
  return { action: attributes.get('action') ?? '', method: attributes.get('method')?.toLowerCase() === 'post' ? 'POST' : 'GET', controls: [] };
}

/** `after` is the page behind the tag, for elements whose value is their text. */
function readControl(element: string, attributes: ReadonlyMap<string, string>, after: string): Control | null {
  const name = attributes.get('name') ?? '';
  const value = attributes.get('value');
  const type = attributes.get('type')?.toLowerCase() ?? (element === 'button' ? 'submit' : 'text');
  if (element === 'textarea') return { kind: 'text', name, value: decoded(after.slice(0, after.search(/<\/textarea/i))), chosen: true };
  if (element === 'button' || (element === 'input' && ['submit', 'image', 'button', 'reset'].includes(type))) {
    return type === 'submit' ? { kind: 'button', name, value: value ?? '', chosen: false } : null;
  }
  if (element !== 'input') return null;
  if (type === 'checkbox' || type === 'radio') return { kind: 'choice', name, value: value ?? 'on', chosen: attributes.has('checked') };
  return { kind: 'text', name, value: value ?? '', chosen: true };
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(attribute)].map(([, name = '', ...values]) => [name.toLowerCase(), decoded(values.join(''))]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole: string, decimal?: string, hex?: string, named?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[named ?? ''] ?? whole;
  });
}
