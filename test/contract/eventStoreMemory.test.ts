import { memoryStore } from '../../src/events/memory/memoryStore.js';
import { describeEmbeddedPromises, describeEventStore, type StoreUnderTest } from './eventStore.contract.js';

const make = async (): Promise<StoreUnderTest> => ({
  open: async (clock) => memoryStore({ clock }),
  cleanUp: async () => undefined,
});

describeEventStore('the memory engine', make);
describeEmbeddedPromises('the memory engine', false, make);
