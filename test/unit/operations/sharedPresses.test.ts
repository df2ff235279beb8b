import { expect, it } from '@jest/globals';
import { sharedPresses } from '../../../src/operations/servers/signIn/sharedPresses.js';

it('a button that is pressed again meanwhile does its work once, and both get what came of it', async () => {
  const pressed = sharedPresses();
  let done = 0;
  const work = async () => Promise.reject(new Error(`failure ${(done += 1)}`));
  const [one, other] = await Promise.allSettled([pressed('this', work), pressed('this', work)]);
  expect(one).toEqual(other);
  await expect(pressed('this', work)).rejects.toThrow('failure 2');
});

it('other buttons are not concerned', async () => {
  const pressed = sharedPresses();
  expect(await Promise.all([pressed('this', async () => 1), pressed('that', async () => 2)])).toEqual([1, 2]);
});
