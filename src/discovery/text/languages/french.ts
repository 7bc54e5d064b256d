/** French verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const french: LanguageData = {
  functions: `
    the le la les l, a un une, of de du des d, in dans en, on sur, to a au aux vers, for pour, with avec, from depuis, by par,
    and et, or ou, then puis ensuite, my mon ma mes, our notre nos, your votre vos ton ta tes, his son sa ses leur leurs,
    this ce cet cette ceci, these ces, that que qu cela ça ca c, all tous toutes tout toute, me moi me m, i je j, we nous on,
    it il elle ils elles lui y, is est sont est_ce, not ne pas n, if si, about concernant, between entre, without sans, what
    quel quelle quels quelles quoi qu_est_ce_que, who qui, when quand, how comment, where ou_est, please s_il_te_plait
    s_il_vous_plait svp stp, want veux voudrais voudrait besoin peux peut pourrais pourriez pouvez tu vous faut dois ai as
    avons avez, also aussi, until jusqu jusque, now maintenant chez deja encore ci la_bas monsieur madame, only seulement uniquement, more plus, how_many combien, be etre, s s se t te,
    but mais, very tres trop, them eux celui celle ceux celles, he lui_meme, before avant, after apres, no rien, so
    bien, some quelques, have ont avait etait etaient, why pourquoi, same meme, under sous, each chaque, here voici
    voila, must doit doivent`,
  verbs: `
    create preparer prepare, create creer cree generer faire fais fait faites, add ajouter ajoute inserer mettre mets mettez inclure, delete supprimer
    supprime effacer, remove enlever enleve retirer retire, update modifier modifie mettre_a_jour mets_a_jour actualiser
    corriger editer, change changer, rename renommer, set definir configurer fixer regler, send envoyer envoie envoyez
    expedier, reply repondre reponds repondez, forward transferer_le_mail faire_suivre, show montrer montre afficher affiche
    voir vois voyez regarder, get obtenir recuperer recupere consulter donner donne donnez savoir connaitre, list lister
    enumerer liste, search chercher cherche rechercher recherche, find trouver trouve retrouver, open ouvrir ouvre ouvrez,
    read lire lis lisez, download telecharger telecharge, upload televerser envoyer_le_fichier mettre_en_ligne_le_fichier
    uploader, export exporter, import importer, move deplacer deplace bouger, copy copier copie, duplicate dupliquer, share
    partager partage, invite inviter invite, assign assigner attribuer affecter, close fermer ferme cloturer clore, complete
    terminer termine finir achever completer, mark marquer cocher, cancel annuler annule, archive archiver, restore
    restaurer retablir, publish publier publie, post poster, schedule planifier programmer, reschedule reporter decaler
    reprogrammer, start demarrer lancer commencer, stop arreter arrete stopper, pause suspendre mettre_en_pause, resume
    reprendre reprends, run executer, enable activer allumer, disable desactiver eteindre eteins, approve approuver valider_la,
    reject rejeter refuser, accept accepter, merge fusionner fusionne, lock verrouiller bloquer, unlock deverrouiller
    debloquer, subscribe abonner s_abonner, unsubscribe desabonner, follow suivre suis, like aimer liker, pay payer paie
    regler_la, charge facturer_le debiter prelever, refund rembourser rembourse, buy acheter achete, order commander, book
    reserver reserve, check verifier verifie controler, verify valider, count compter, calculate calculer, convert convertir
    convertis, translate traduire traduis traduisez, summarize resumer resume, compare comparer, analyze analyser, write
    ecrire ecris rediger redige, save enregistrer sauvegarder, attach joindre joins, notify notifier prevenir previens
    avertir, remind rappeler rappelle, connect connecter relier, disconnect deconnecter, sync synchroniser, track suivre_le
    tracer, record noter consigner enregistrer_une, call appeler appelle telephoner, ask demander, sign signer, print
    imprimer, play jouer lire_la_musique, mute couper_le_son, pin epingler, sort trier, filter filtrer, replace remplacer,
    clear vider nettoyer, leave quitter, join rejoindre, deploy deployer, build construire compiler, test tester, scan
    scanner numeriser, extract extraire extrais, transcribe transcrire, draw dessiner, resize redimensionner, compress
    compresser, submit soumettre, describe decrire decris, explain expliquer, tag etiqueter, comment commenter, review
    relire examiner, link lier, hide masquer cacher, reset reinitialiser, retry reessayer, split diviser, transfer
    transferer virer, suspend suspendre_le, revoke revoquer, grant accorder, crop recadrer rogner, predict predire, solve
    resoudre, browse parcourir naviguer, visit visiter, evaluate evaluer, multiply multiplier, divide diviser_par, round
    arrondir,
    win gagner gagne, lose perdre perdu, sell vendre vendu, forget oublier oublie, fix reparer repare, rent louer
    loue, hire embaucher recruter, delete jeter jette vire, sign signe, finish fini, deliver livrer livre, come venir
    vient`,
  nouns: `
    email courriel mail mel e_mail, inbox boite boite_de_reception, message message messages, channel canal canaux chaine,
    conversation conversation, thread fil fil_de_discussion, reply reponse, draft brouillon, attachment piece_jointe, label
    etiquette libelle, folder dossier repertoire, file fichier, document document, page page, note note, notebook carnet,
    task tache, subtask sous_tache, list liste, project projet, board tableau_kanban, card carte fiche, column colonne,
    comment commentaire, mention mention, reaction reaction, issue probleme, ticket ticket, bug bogue anomalie, repository
    depot, branch branche, release version_publiee, code code, workflow flux flux_de_travail, deployment deploiement,
    environment environnement, variable variable, secret secret, key cle, event evenement, calendar calendrier agenda,
    meeting reunion, appointment rendez_vous rdv, reminder rappel, invitation invitation, attendee participant invite_e,
    availability disponibilite creneau, schedule horaire planning emploi_du_temps, contact contact, customer client clients
    cliente, company entreprise societe, organization organisation, lead prospect, deal affaire, opportunity opportunite,
    quote devis, order commande commandes, cart panier, product produit, item article_en_vente element, price prix, discount
    remise reduction, coupon bon_de_reduction, inventory stock inventaire, shipment expedition livraison_en_cours, package
    colis, address adresse, store boutique magasin, invoice facture factures, payment paiement reglement, refund
    remboursement, subscription abonnement, plan forfait, balance solde, account compte comptes, transaction transaction,
    transfer virement transfert, receipt reçu recu, expense depense frais note_de_frais, budget budget, tax taxe impot,
    credit credit, dispute litige, vendor fournisseur, employee employe salarie collaborateur, candidate candidat, job
    emploi poste offre_d_emploi, application candidature, vacation vacances conge conges, leave absence, payroll paie,
    salary salaire, shift garde, team equipe, member membre, user utilisateur utilisateurs, group groupe, role role,
    permission autorisation droit, access acces, password mot_de_passe, profile profil, photo photo, image image, video
    video, song chanson morceau, playlist liste_de_lecture, album album, artist artiste, recording enregistrement,
    transcript transcription, translation traduction, language langue, text texte, summary resume, report rapport, chart
    graphique, dashboard tableau_de_bord, statistics statistique statistiques, metric metrique, analysis analyse,
    spreadsheet feuille_de_calcul tableur, sheet feuille, row ligne, cell cellule, table tableau, database
    base_de_donnees, record enregistrements, field champ, value valeur, query requete, form formulaire, survey sondage
    enquete, response reponses, question question, template modele gabarit, campaign campagne, audience audience public,
    segment segment, subscriber abonne abonnes, newsletter infolettre lettre_d_information, post publication billet, article
    article, story histoire, follower abonne_du_compte, website site site_web, domain domaine, link lien, result resultat,
    news actualite nouvelles actualites, weather meteo temps, forecast prevision previsions, temperature temperature, map
    carte_geographique plan_de_ville, location lieu emplacement, city ville, country pays, route itineraire trajet, distance
    distance, flight vol, hotel hotel, reservation reservation, ride course, restaurant restaurant, menu menu, review avis,
    rating note_moyenne, currency devise monnaie, exchange_rate taux_de_change, number nombre numero, sum somme, percentage
    pourcentage, date date, time heure, timezone fuseau_horaire, duration duree, day jour, week semaine, month mois, year
    annee an, today aujourd_hui, tomorrow demain, yesterday hier, timer minuteur chronometre, log journal, error erreur,
    alert alerte, incident incident, status statut etat, server serveur, backup sauvegarde, space espace, storage stockage,
    device appareil, light lumiere lampe, phone telephone portable, call appel, voicemail messagerie_vocale, sms sms texto,
    notification notification, settings parametres reglages preferences, version version, history historique, change
    changement modification, copy copies, name nom, title titre, description description, category categorie, priority
    priorite, deadline echeance date_limite, owner proprietaire responsable, stage etape phase, goal objectif, milestone
    jalon, workspace espace_de_travail, drive lecteur, signature signature, contract contrat, envelope enveloppe, student
    eleve etudiant, course cours, class classe, grade notes, assignment devoir, lesson leçon lecon, recipe recette, book
    livre, chapter chapitre, definition definition, word mot, game jeu match, patient patient, property bien, house maison,
    car voiture, vehicle vehicule, driver chauffeur conducteur, delivery livraison, new nouveau nouvelle nouveaux, last
    dernier derniere derniers dernieres, next prochain prochaine, open ouverts ouvertes, unread non_lus non_lu, old vieux
    ancien, free libre, person personne personnes gens, activity activite, request demande, data donnees, tool outil, ad
    annonce publicite pub, view vue, keyword mot_cle, purchase achat, sale vente ventes, guest hote, size taille, color
    couleur, command commande_shell, screenshot capture capture_d_ecran, browser navigateur, memory memoire,
    money argent fric, room chambre piece salle, kitchen cuisine, rent loyer, lease bail, insurance assurance, doctor
    medecin docteur, dentist dentiste, pharmacy pharmacie, child enfant enfants, dog chien, cat chat, wedding mariage,
    birthday anniversaire, friend ami amie amis, family famille, school ecole, train train, trash corbeille poubelle,
    weekend week_end, coffee cafe, gift cadeau cadeaux, apartment appartement logement, tenant locataire, minute
    minutes, half moitie, standby astreinte, place endroit`,
};
