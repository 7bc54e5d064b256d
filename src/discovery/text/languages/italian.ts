/** Italian verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const italian: LanguageData = {
  functions: `
    the il lo la i gli le l, a un uno una, of di del dello della dei degli delle dell d, in in nel nello nella nei nelle nell,
    on su sul sullo sulla sui sulle sull, to a al allo alla ai agli alle all ad, for per, with con col, from da dal dallo
    dalla dai dalle dall, and e ed, or o oppure, then poi quindi dopo, my mio mia miei mie, our nostro nostra nostri nostre,
    your tuo tua tuoi tue suo sua, this questo questa quest, these questi queste, that che quello quella quel, all tutti
    tutte tutto tutta, me mi me, i io, is e_un sono c_e ci_sono, not non, if se, about riguardo, between tra fra, without
    senza, what quale quali cosa che_cosa qual, who chi, when quando, how come, where dove, please per_favore per_piacere,
    want voglio vorrei devo puoi potresti può puo bisogna serve ho hai abbiamo, it ci si ne gli_ha, also anche, until fino,
    now adesso ha era hanno via gia ancora signor signora basta, only solo soltanto, more piu, how_many quanti quante quanto quanta, be essere stare,
    but ma pero, he lui lei loro, no niente, who qualcuno nessuno, so sempre, was erano stato stata sta stanno sto,
    must deve devono dobbiamo, before prima, why perche, so bene, each ogni, there li la_giu giu, we siamo noi, to va
    vanno andato, same stesso stessa, some qualche, have avevo aveva avete`,
  verbs: `
    create preparare, create creare crea generare genera fare fai fammi faccio, add aggiungere aggiungi inserire inserisci mettere metti
    includere, delete cancellare cancella eliminare elimina, remove rimuovere rimuovi togliere togli, update aggiornare
    aggiorna modificare modifica correggere correggi, change cambiare cambia, rename rinominare, set impostare imposta
    configurare definire, send inviare invia mandare manda spedire spedisci, reply rispondere rispondi, forward inoltrare,
    show mostrare mostra visualizzare vedere vedi guardare fammi_vedere, get ottenere ottieni recuperare consultare dare
    dammi dimmi prendere prendi sapere, list elencare elenca, search cercare cerca ricercare, find trovare trova, open
    aprire apri, read leggere leggi, download scaricare scarica, upload caricare carica, export esportare, import importare,
    move spostare sposta, copy copiare copia, duplicate duplicare, share condividere condividi, invite invitare invita,
    assign assegnare assegna, close chiudere chiudi, complete completare finire finisci terminare, mark segnare segna
    contrassegnare spuntare, cancel annullare annulla disdire, archive archiviare archivia, restore ripristinare, publish
    pubblicare pubblica, post postare, schedule programmare pianificare, reschedule rimandare rinviare posticipare
    riprogrammare, start avviare avvia iniziare inizia lanciare, stop fermare ferma arrestare, pause sospendere
    mettere_in_pausa, resume riprendere riprendi, run eseguire esegui, enable attivare abilitare accendere accendi, disable
    disattivare disabilitare spegnere spegni, approve approvare, reject rifiutare respingere, accept accettare, merge unire
    unisci fondere, lock bloccare, unlock sbloccare, subscribe iscrivere abbonare, unsubscribe disiscrivere, follow seguire
    segui, pay pagare paga, charge addebitare, refund rimborsare rimborsa, buy comprare compra acquistare, order ordinare_un
    ordinare, book prenotare prenota, check controllare controlla verificare, verify convalidare, count contare conta,
    calculate calcolare calcola, convert convertire converti, translate tradurre traduci traduca, summarize riassumere
    riassumi, compare confrontare, analyze analizzare, write scrivere scrivi, save salvare salva, attach allegare allega,
    notify avvisare avvisa notificare, remind ricordare ricorda ricordami, connect collegare connettere, disconnect
    scollegare disconnettere, sync sincronizzare, track tracciare monitorare, record registrare registra annotare annota,
    call chiamare chiama telefonare, ask chiedere chiedi, sign firmare, print stampare, play riprodurre suonare, mute
    silenziare, pin fissare, filter filtrare, replace sostituire, clear svuotare pulire, leave uscire lasciare, join
    entrare unirsi, deploy distribuire, build costruire compilare, test provare testare, scan scansionare, extract estrarre
    estrai, transcribe trascrivere, draw disegnare, resize ridimensionare, compress comprimere, submit presentare, describe
    descrivere descrivi, explain spiegare, tag etichettare, comment commentare, review rivedere, hide nascondere, reset
    reimpostare, retry riprovare, split dividere, transfer trasferire, suspend sospendere_un, revoke revocare, grant
    concedere, crop ritagliare, predict prevedere, solve risolvere, browse navigare, visit visitare, evaluate valutare,
    multiply moltiplicare, round arrotondare,
    win vincere vinto, lose perdere perso, sell vendere venduto, forget dimenticare dimentica, fix riparare
    aggiustare, rent affittare affittato, hire assumere, delete buttare butta cestinare, finish finito, deliver
    consegnare, clone clonare clona`,
  nouns: `
    email posta mail e_mail posta_elettronica, inbox casella, message messaggio messaggi, channel canale canali, conversation
    conversazione, thread discussione, reply risposta, draft bozza, attachment allegato, label etichetta, folder cartella
    cartelle, file file documento_allegato, document documento, page pagina, note nota appunto, notebook taccuino quaderno,
    task attivita compito, subtask sottoattivita, list lista elenco, project progetto, board bacheca, card scheda, column
    colonna, comment commento, mention menzione, reaction reazione, issue segnalazione problema, bug errore_del_codice,
    repository archivio_del_codice, branch ramo, release rilascio, code codice, workflow flusso flusso_di_lavoro, deployment
    distribuzione, environment ambiente, variable variabile, secret segreto, key chiave, event evento, calendar calendario
    agenda, meeting riunione incontro, appointment appuntamento, reminder promemoria, invitation invito, attendee
    partecipante invitato, availability disponibilita, schedule orario programma, contact contatto, customer cliente
    clienti, company azienda societa, organization organizzazione, lead potenziale, deal trattativa affare, opportunity
    opportunita, quote preventivo, order ordine ordini, cart carrello, product prodotto, item articolo_in_vendita elemento,
    price prezzo, discount sconto, coupon buono, inventory magazzino inventario scorte giacenza, shipment spedizione,
    package pacco, address indirizzo, store negozio, invoice fattura fatture, payment pagamento, refund rimborso,
    subscription abbonamento, plan piano, balance saldo, account conto account, transaction transazione movimento, transfer
    bonifico trasferimento, receipt ricevuta scontrino, expense spesa spese, budget budget, tax tassa imposta, credit
    credito, dispute contestazione, vendor fornitore, employee dipendente impiegato, candidate candidato, job lavoro posto,
    application candidatura domanda_di_lavoro, vacation ferie vacanza, leave permesso assenza, payroll busta_paga, salary
    stipendio, shift turno, team squadra gruppo_di_lavoro, member membro, user utente, group gruppo, role ruolo, permission
    permessi autorizzazione, access accesso, password password, profile profilo, photo foto, image immagine, video video,
    song canzone brano, playlist scaletta, artist artista, recording registrazione, transcript trascrizione, translation
    traduzione, language lingua, text testo, summary riassunto riepilogo, report rapporto relazione resoconto, chart
    grafico, dashboard cruscotto, statistics statistica statistiche, metric metrica, analysis analisi, spreadsheet
    foglio_di_calcolo, sheet foglio, row riga, cell cella, table tabella, database base_di_dati, record voce, field campo,
    value valore, query interrogazione, form modulo, survey sondaggio, response risposte, question domanda, template modello,
    campaign campagna, audience pubblico, segment segmento, subscriber iscritto abbonato, post pubblicazione, article
    articolo, story storia, follower seguace, website sito, domain dominio, link collegamento, result risultato, news
    notizia notizie, weather meteo tempo, forecast previsione previsioni, temperature temperatura, map mappa, location
    posizione luogo, city citta, country paese, route percorso itinerario, distance distanza, flight volo, hotel albergo,
    reservation prenotazione, ride corsa, restaurant ristorante, menu menu, review recensione, rating valutazione, currency
    valuta moneta, exchange_rate tasso_di_cambio cambio, number numero, sum somma, percentage percentuale, date data, time
    ora orario_attuale, timezone fuso_orario, duration durata, day giorno, week settimana, month mese, year anno, today
    oggi, tomorrow domani, yesterday ieri, timer timer cronometro, log registro_eventi, error errore, alert avviso allarme,
    incident incidente, status stato, server server, backup copia_di_sicurezza, space spazio, storage archiviazione, device
    dispositivo, light luce luci, phone telefono cellulare, call chiamata telefonata, voicemail segreteria, sms sms
    messaggino, notification notifica, settings impostazioni preferenze, version versione, history cronologia storico,
    change modifiche, name nome, title titolo, description descrizione, category categoria, priority priorita, deadline
    scadenza, owner proprietario responsabile, stage fase, goal obiettivo, milestone traguardo, workspace
    spazio_di_lavoro, drive unita, signature firma, contract contratto, envelope busta, student studente alunno, course
    corso, class classe lezione_in_aula, grade voto voti, assignment compiti, lesson lezione, recipe ricetta, book libro,
    chapter capitolo, definition definizione, word parola, game gioco partita, patient paziente, property immobile, house
    casa, car auto macchina, vehicle veicolo, driver autista, delivery consegna, new nuovo nuova nuovi nuove, last ultimo
    ultima ultimi ultime, next prossimo prossima, open aperti aperte, unread non_letti non_lette, old vecchio vecchia, free
    libero, person persona persone, activity attivita_recente, request richiesta, data dati, tool strumento, ad annuncio
    inserzione, view vista, keyword parola_chiave, purchase acquisto, sale vendita vendite, guest ospite, size dimensione,
    color colore, command comando, screenshot schermata, browser navigatore, memory memoria,
    money soldi denaro, room camera stanza sala, kitchen cucina, rent affitto, insurance assicurazione, doctor medico
    dottore dottoressa, dentist dentista, pharmacy farmacia, child bambino bambini figlio figlia, dog cane, cat gatto,
    wedding matrimonio, birthday compleanno, friend amico amica amici, family famiglia, school scuola, train treno,
    trash cestino spazzatura, weekend fine_settimana, coffee caffe, gift regalo, apartment appartamento, fee
    commissione, tenant inquilino, minute minuto minuti, half meta, neighbor vicino`,
};
