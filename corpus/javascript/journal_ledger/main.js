const { Journal, LedgerError } = require('./journal');

function report(journal) {
  for (const account of journal.accounts()) {
    console.log(account.name.padEnd(10), account.balance.toFixed(2).padStart(9), account.side);
  }
}

function attempt(label, action) {
  try {
    action();
    console.log(`${label}: ok`);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    console.log(`${label}: ${error.kind}: ${error.message}`);
  }
}

const journal = new Journal();
journal.open('cash', 'asset').open('stock', 'asset');
journal.open('loan', 'liability').open('sales', 'income').open('rent', 'expense');

attempt('borrow', () => journal.post('borrow', { cash: 5000, loan: -5000 }));
attempt('buy', () => journal.post('buy goods', { stock: 1200, cash: -1200 }));
attempt('uneven', () => journal.post('typing error', { cash: 100, sales: -10 }));
attempt('sell', () => journal.post('sell goods', { cash: 900.5, sales: -900.5 }));
attempt('petty', () => journal.post('parking', { parking: 4, cash: -4 }));
attempt('rent', () => journal.post('rent', { rent: 700, cash: -700 }));
attempt('mistake', () => journal.undo('buy goods'));
attempt('again', () => journal.undo('buy goods'));
attempt('double', () => journal.open('cash', 'asset'));
report(journal);
console.log('profit', journal.profit.toFixed(2), 'after', journal.size, 'entries');
